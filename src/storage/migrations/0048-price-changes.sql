-- What models are sold at, from when on, and who said so. Of the changes of a model that hold already, the one with the latest
-- moment is its price; what is cancelled before its moment never holds.
create table price_changes (
  id bigint generated always as identity primary key,
  -- What was changed together.
  batch uuid not null,
  model text collate "C" not null,
  -- VND for a million tokens, or for a request; null for the catalogue's.
  price_vnd bigint check (price_vnd >= 0),
  -- What it was sold at by then.
  former_vnd bigint,
  from_at timestamptz not null,
  made_by text not null,
  made_at timestamptz not null default now(),
  cancelled_by text,
  cancelled_at timestamptz check (cancelled_at < from_at)
);
create index price_changes_model on price_changes (model, from_at, id) where cancelled_at is null;
create index price_changes_batch on price_changes (batch);

insert into price_changes (batch, model, price_vnd, from_at, made_by)
  select gen_random_uuid(), each.key, (each.value ->> 'price_vnd')::bigint, now(), ''
  from settings s, jsonb_each(s.value) each (key, value)
  where s.name = 'model_overrides' and each.value ->> 'price_vnd' is not null;
