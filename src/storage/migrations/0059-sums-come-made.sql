-- Commits bring their calls as rows of one array, and the sums that they are added to ready made.

-- What a node writes of a call; see insert-calls.ts. A version that writes more has a type of its own, as versions may serve side by side.
create type incoming_call as (
  id text, at_ms float8, account_id text, key_id text, endpoint text, model_requested text, model text, stream boolean,
  status smallint, error_type text, input_tokens integer, output_tokens integer, units integer, estimated boolean,
  per_mtok_vnd bigint, per_request_vnd bigint, cost_micro_vnd bigint, latency_ms integer, first_byte_ms integer,
  stored_id_hash bytea, cache_read_tokens integer, cache_write_tokens integer, reasoning_tokens integer, tier text,
  factor numeric, route text, tool_uses jsonb, other_tokens jsonb, attempts jsonb, stored_item_hashes bytea[]
);

-- What a node has of a wallet afterwards, and what of it was spent on these calls.
create type incoming_escrow as (account_id text, amount_micro_vnd bigint, spent_micro_vnd bigint, exact boolean);

create type incoming_hour as (
  account_id text, key_id text, model text, hour_ms float8, calls bigint, failed_calls bigint, input_tokens bigint,
  output_tokens bigint, cost_micro_vnd bigint, last_call_at_ms float8, latency_ms bigint
);

-- Of no account: the same of all accounts together.
create type incoming_purchase as (
  day date, account_id text, part_id bigint, calls bigint, input_tokens bigint, cache_read_tokens bigint,
  cache_write_tokens bigint, output_tokens bigint, uses bigint, revenue_micro_vnd bigint
);

create type incoming_part as (id bigint, route text, model text, factor numeric, mix text, part text);

-- A call of a month that is gone goes elsewhere: then none of these are written, and those are told apart.
create function refuse_diverted() returns boolean language plpgsql as $$
begin
  raise exception 'not all of these calls belong into the log' using errcode = 'TG001';
end $$;

-- The other parts of a call stand in one order, whatever the collation of the database.
create or replace function call_parts(tool_uses jsonb, other_tokens jsonb, input bigint, cache_read bigint, cache_write bigint,
  output bigint, uses bigint, cost bigint)
returns table (mix text, part text, calls bigint, input_tokens bigint, cache_read_tokens bigint, cache_write_tokens bigint,
  output_tokens bigint, uses bigint, revenue_micro_vnd bigint)
language sql immutable parallel safe as $$
  with others as (
    select 'tool:' || (use ->> 'tool') as part, 0::bigint as input, 0::bigint as output, (use ->> 'uses')::bigint as uses,
      false as is_inside
    from jsonb_array_elements($1) use
    union all
    select 'model:' || (other ->> 'model'), (other ->> 'input_tokens')::bigint, (other ->> 'output_tokens')::bigint, 0,
      not (other ->> 'apart')::boolean
    from jsonb_array_elements($2) other
  ), own as (
    select coalesce(string_agg(distinct o.part collate "C", E'\n' order by o.part collate "C"), '') as mix,
      greatest($3 - coalesce(sum(o.input) filter (where is_inside), 0), 0)::bigint as input,
      greatest($6 - coalesce(sum(o.output) filter (where is_inside), 0), 0)::bigint as output
    from others o
  ), cached as (
    select own.*, least($4, own.input) as cache_read, least($5, own.input - least($4, own.input)) as cache_write from own
  )
  select c.mix, '', 1, c.input - c.cache_read - c.cache_write, c.cache_read, c.cache_write, c.output, $7, $8 from cached c
  union all
  select own.mix, o.part, 0, sum(o.input)::bigint, 0, 0, sum(o.output)::bigint, sum(o.uses)::bigint, 0
  from others o, own group by own.mix, o.part
$$;

-- Sums that were made in another order are added to those of this one.
create temporary table reordered on commit drop as
  select p.id as former_id, purchase_part(p.route, p.model, p.factor, o.mix, p.part) as id, p.route, p.model, p.factor, o.mix, p.part
  from purchase_parts p, lateral (
    select string_agg(name, E'\n' order by name collate "C") as mix from regexp_split_to_table(p.mix, E'\n') name
  ) o
  where o.mix <> p.mix;
insert into purchase_parts select id, route, model, factor, mix, part from reordered on conflict do nothing;
with moved as (
  delete from purchase_days using reordered r where part_id = r.former_id returning purchase_days.*, r.id
)
insert into purchase_days as u
  select day, account_id, id, slot, calls, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, uses, revenue_micro_vnd
  from moved
on conflict (day, account_id, part_id, slot) do update set
  calls = u.calls + excluded.calls, input_tokens = u.input_tokens + excluded.input_tokens,
  cache_read_tokens = u.cache_read_tokens + excluded.cache_read_tokens,
  cache_write_tokens = u.cache_write_tokens + excluded.cache_write_tokens,
  output_tokens = u.output_tokens + excluded.output_tokens, uses = u.uses + excluded.uses,
  revenue_micro_vnd = u.revenue_micro_vnd + excluded.revenue_micro_vnd;
with moved as (
  delete from purchase_totals using reordered r where part_id = r.former_id returning purchase_totals.*, r.id
)
insert into purchase_totals as u
  select day, id, slot, calls, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, uses, revenue_micro_vnd
  from moved
on conflict (day, part_id, slot) do update set
  calls = u.calls + excluded.calls, input_tokens = u.input_tokens + excluded.input_tokens,
  cache_read_tokens = u.cache_read_tokens + excluded.cache_read_tokens,
  cache_write_tokens = u.cache_write_tokens + excluded.cache_write_tokens,
  output_tokens = u.output_tokens + excluded.output_tokens, uses = u.uses + excluded.uses,
  revenue_micro_vnd = u.revenue_micro_vnd + excluded.revenue_micro_vnd;
delete from purchase_parts using reordered r where purchase_parts.id = r.former_id;
