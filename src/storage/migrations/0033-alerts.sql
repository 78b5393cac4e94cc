-- What customers are told of without asking: what they want to hear of and where, what there was to tell, and how its delivery went.

-- Of accounts without a row, what account_alerts says holds.
create table alert_settings (
  account_id text collate "C" primary key references accounts (id),
  -- Null: never told.
  balance_below_micro_vnd bigint check (balance_below_micro_vnd > 0),
  days_left smallint check (days_left between 1 and 60),
  -- Of what mail is sent; where `email` is empty, to the account's own address.
  mail_kinds text[] not null,
  email text not null,
  language text not null check (language in ('vi', 'en')),
  updated_at timestamptz not null default now()
);

create view account_alerts as
  select a.id as account_id,
    case when s.account_id is null then 20000000000 else s.balance_below_micro_vnd end as balance_below_micro_vnd,
    case when s.account_id is null then 3 else s.days_left end as days_left,
    coalesce(s.mail_kinds, '{balance.low,balance.empty,balance.days_left,budget.nearly_spent,budget.spent,key.expiring,sign_in.new}')
      as mail_kinds,
    coalesce(s.email, '') as email, a.email as account_email,
    coalesce(s.language, 'vi') as language
  from accounts a left join alert_settings s on s.account_id = a.id;

create table webhook_endpoints (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts (id),
  url text not null,
  kinds text[] not null,
  paused boolean not null default false,
  sealed_secret bytea not null,
  seal_key_id text not null,
  -- The secret before the present one, which signs beside it until then.
  former_sealed_secret bytea,
  former_seal_key_id text,
  former_until timestamptz,
  created_at timestamptz not null default now(),
  check ((former_until is null) = (former_sealed_secret is null) and (former_until is null) = (former_seal_key_id is null))
);
create index webhook_endpoints_account on webhook_endpoints (account_id, created_at);

-- Written by whoever changes something, in the same transaction, and taken away by the next look at the accounts.
create table alert_events (
  id bigint generated always as identity primary key,
  account_id text collate "C" not null,
  -- A kind of alert, or `account.changed`: what was told of may have ended or begun.
  kind text not null,
  subject text collate "C" not null default '',
  detail jsonb not null default '{}',
  at timestamptz not null default now()
);

-- How far calls have been looked at: up to their begin, and also at those that took long.
create table alert_looks (
  pass text primary key check (pass in ('calls', 'long_calls', 'days_left')),
  until timestamptz not null
);

-- What was told and has not ended since. `mark` is what must be exceeded for it to end, where its end is not that of what
-- began it; `period` the one it began in.
create table alert_states (
  account_id text collate "C" not null,
  kind text not null,
  subject text collate "C" not null default '',
  period timestamptz not null default '-infinity',
  mark bigint not null default 0,
  alert_id text not null,
  raised_at timestamptz not null default now(),
  primary key (account_id, kind, subject)
);

create table alerts (
  -- msg_…, by which receivers know one that comes twice.
  id text collate "C" primary key,
  account_id text collate "C" not null,
  kind text not null,
  subject text collate "C" not null default '',
  detail jsonb not null,
  at timestamptz not null default now()
);
create index alerts_at on alerts (at);

create table alert_deliveries (
  id uuid primary key default gen_random_uuid(),
  alert_id text collate "C" not null references alerts (id) on delete cascade,
  account_id text collate "C" not null,
  channel text not null check (channel in ('mail', 'webhook')),
  -- Null for mail, and where the endpoint was deleted.
  endpoint_id text collate "C" references webhook_endpoints (id) on delete set null,
  -- Where it goes: an address of mail, or a URL.
  address text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'given_up')),
  attempts integer not null default 0,
  -- How the last attempt ended: an HTTP status, a code of SMTP, or why there was no answer.
  outcome text not null default '',
  -- Attempts are counted from here: the beginning, or when it was sent again by hand.
  begun_at timestamptz not null default now(),
  attempted_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default now()
);
create index alert_deliveries_account on alert_deliveries (account_id, created_at desc, id desc);
create index alert_deliveries_alert on alert_deliveries (alert_id);
create index alert_deliveries_endpoint on alert_deliveries (endpoint_id) where endpoint_id is not null;
create index alert_deliveries_pending on alert_deliveries (begun_at) where status = 'pending';

create index keys_expiring on keys (expires_at) where expires_at is not null and status = 'active';

-- As money is written on the wire: 0.83, 230, -1062.4.
create function vnd_text(micro_vnd bigint) returns text language sql immutable strict parallel safe as $$
  select trim_scale(micro_vnd / 1000000.0)::text
$$;

create function note_entry() returns trigger language plpgsql as $$
begin
  insert into alert_events (account_id, kind, subject, detail)
  select e.account_id, case when e.source = 'top_up' and e.amount_micro_vnd > 0 then 'top_up.credited' else 'account.changed' end,
    e.id::text, jsonb_build_object('amount_vnd', vnd_text(e.amount_micro_vnd), 'receipt', e.id::text)
  from new_entries e;
  return null;
end $$;
create trigger ledger_entries_told after insert on ledger_entries
  referencing new table as new_entries for each statement execute function note_entry();

create function note_key() returns trigger language plpgsql as $$
begin
  insert into alert_events (account_id, kind, subject, detail)
  values (new.account_id,
    case when tg_op = 'INSERT' then 'key.created'
      when new.status <> old.status then 'key.revoked'
      when new.secret_number <> old.secret_number then 'key.rotated'
      else 'account.changed' end,
    new.id, jsonb_build_object('key', jsonb_build_object('id', new.id, 'name', new.name)));
  return null;
end $$;
create trigger keys_told_of_new after insert on keys for each row execute function note_key();
create trigger keys_told after update on keys for each row
  when (old.status <> new.status or old.secret_number <> new.secret_number
    or old.budget_micro_vnd is distinct from new.budget_micro_vnd or old.budget_period is distinct from new.budget_period
    or old.expires_at is distinct from new.expires_at)
  execute function note_key();

-- One that a person knows: the first after the sign-up, and from where they are signed in already with the same program.
create function note_session() returns trigger language plpgsql as $$
begin
  if exists (select from people p where p.id = new.person_id and p.created_at > now() - interval '1 minute') then return null; end if;
  if exists (select from sessions s where s.person_id = new.person_id and s.id <> new.id
    and s.ip_address is not distinct from new.ip_address and s.user_agent is not distinct from new.user_agent) then return null; end if;
  insert into alert_events (account_id, kind, detail)
  values (new.person_id, 'sign_in.new',
    jsonb_build_object('address', coalesce(new.ip_address, ''), 'user_agent', left(coalesce(new.user_agent, ''), 300)));
  return null;
end $$;
create trigger sessions_told after insert on sessions for each row execute function note_session();

create function note_alert_settings() returns trigger language plpgsql as $$
begin
  insert into alert_events (account_id, kind) values (new.account_id, 'account.changed');
  return null;
end $$;
create trigger alert_settings_told after insert or update on alert_settings for each row execute function note_alert_settings();

-- What must be exceeded for this to end; null where it has not begun.
create function mark_of(account text, told_kind text, told_subject text) returns bigint language sql stable as $$
  select s.mark from alert_states s where s.account_id = account and s.kind = told_kind and s.subject = told_subject
$$;
