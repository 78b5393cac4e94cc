-- Accounts, keys, wallets, the append-only ledger and the call log. Money is µVND (micro-dong) in bigint everywhere.

create table accounts (
  id text collate "C" primary key,
  email text not null,
  status text not null default 'active' check (status in ('active', 'disabled')),
  is_operator boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index accounts_email on accounts (lower(email));

-- A key is found by the SHA-256 of its secret. `slot` makes "at most 10 active" a matter of a unique index.
create table keys (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts (id),
  name text not null check (length(name) between 1 and 200),
  status text not null default 'active' check (status in ('active', 'revoked')),
  slot smallint check (slot between 0 and 9),
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  sealed_secret bytea,
  seal_key_id text,
  hint text not null,
  rate_limit_per_minute integer not null default 0 check (rate_limit_per_minute >= 0),
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  check ((status = 'active') = (slot is not null))
);
create unique index keys_slot on keys (account_id, slot);
create index keys_account on keys (account_id, created_at);

create table wallets (
  account_id text collate "C" primary key references accounts (id),
  balance_micro_vnd bigint not null default 0,
  updated_at timestamptz not null default now()
) with (fillfactor = 70);

-- A node is one running process. It is alive as long as its session holds advisory lock (712001, id).
create table nodes (
  id integer generated always as identity primary key,
  started_at timestamptz not null default now(),
  -- The last row of node_events this node has acted upon.
  seen_event_id bigint not null default 0
);

-- What part of a wallet a node may spend. Shares of one wallet never add up to more than its balance when they are
-- claimed, so nodes that know nothing of each other can not overdraw it together.
create table wallet_shares (
  account_id text collate "C" not null references wallets (account_id),
  node_id integer not null references nodes (id) on delete cascade,
  share_micro_vnd bigint not null,
  primary key (account_id, node_id)
) with (fillfactor = 70);

-- What every node must hear of: revoked keys, changed wallets, maintenance, prices. Listened to on channel tollgate_events.
create table node_events (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  kind text not null,
  subject text not null default ''
);

-- Tells every node of a change, in the caller's transaction. The lock makes ids become visible in order, so that
-- "seen up to N" means all of them.
create function emit_event(kind text, subject text) returns bigint language plpgsql as $$
declare
  event_id bigint;
begin
  perform pg_advisory_xact_lock(712003, 0);
  insert into node_events (kind, subject) values (emit_event.kind, emit_event.subject) returning id into event_id;
  perform pg_notify('tollgate_events', event_id::text);
  return event_id;
end $$;

-- Settings that operators change while the service runs, such as maintenance.
create table settings (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

-- Append-only. `source` and `source_id` name what caused the entry, once.
create table ledger_entries (
  id bigint generated always as identity primary key,
  account_id text collate "C" not null references wallets (account_id),
  at timestamptz not null default now(),
  source text not null check (source in ('call', 'credit', 'top_up')),
  source_id text collate "C" not null,
  amount_micro_vnd bigint not null,
  reason text not null default '',
  actor text not null default ''
);
create unique index ledger_entries_source on ledger_entries (source, source_id);
create index ledger_entries_account on ledger_entries (account_id, id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();

-- One row for every call with a known key. Partitioned by month; ids carry their time, so a retried insert meets its row.
create table calls (
  id text collate "C" not null,
  at timestamptz not null,
  account_id text collate "C" not null,
  key_id text collate "C" not null,
  endpoint text not null,
  model_requested text not null,
  model text not null,
  stream boolean not null,
  status smallint not null,
  error_type text not null default '',
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  units integer not null default 1,
  estimated boolean not null default false,
  per_mtok_vnd bigint,
  per_request_vnd bigint,
  cost_micro_vnd bigint not null default 0 check (cost_micro_vnd >= 0),
  latency_ms integer not null,
  first_byte_ms integer,
  stored_id_hash bytea,
  node_id integer,
  primary key (id, at)
) partition by range (at);
create index calls_account on calls (account_id, at, id);
create index calls_key on calls (key_id, at);
create index calls_stored_id on calls (stored_id_hash) where stored_id_hash is not null;
create table calls_default partition of calls default;

-- Makes the partitions of this month and the next two. Harmless to repeat, also from several nodes.
create function ensure_call_partitions(today date) returns void language plpgsql as $$
declare
  month date := date_trunc('month', today)::date;
begin
  perform pg_advisory_xact_lock(712002, 0);
  for i in 0..2 loop
    if to_regclass('calls_' || to_char(month, 'YYYYMM')) is null then
      execute format('create table %I partition of calls for values from (%L) to (%L)',
        'calls_' || to_char(month, 'YYYYMM'), month, (month + interval '1 month')::date);
    end if;
    month := (month + interval '1 month')::date;
  end loop;
end $$;

-- Hourly sums of `calls`, kept in the same transaction as the calls themselves.
create table usage_hours (
  account_id text collate "C" not null,
  key_id text collate "C" not null,
  model text not null,
  hour timestamptz not null,
  calls bigint not null,
  failed_calls bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost_micro_vnd bigint not null,
  last_call_at timestamptz not null,
  primary key (account_id, hour, key_id, model)
) with (fillfactor = 70);
create index usage_hours_key on usage_hours (key_id);

-- Every action of an operator, append-only.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  subject text not null default '',
  detail jsonb not null default '{}'
);
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

-- The nodes that live: those whose session still holds its advisory lock.
create function live_nodes() returns setof integer language sql stable as $$
  select objid::integer from pg_locks
  where locktype = 'advisory' and classid = 712001 and granted
    and database = (select oid from pg_database where datname = current_database())
$$;

-- Gives `claimer` all of these wallets that no other live node holds, and answers what it then may spend.
create function claim_wallets(claimer integer, ids text[])
returns table (account_id text, share_micro_vnd bigint, balance_micro_vnd bigint, shared boolean, account_status text)
language plpgsql as $$
#variable_conflict use_column
begin
  perform 1 from wallets w where w.account_id = any (ids) order by w.account_id for update;
  delete from wallet_shares s where s.account_id = any (ids) and s.node_id not in (select live_nodes());
  return query
    with others as (
      select s.account_id, sum(s.share_micro_vnd) as share
      from wallet_shares s where s.account_id = any (ids) and s.node_id <> claimer group by s.account_id
    ), claimed as (
      insert into wallet_shares as mine (account_id, node_id, share_micro_vnd)
      select w.account_id, claimer, w.balance_micro_vnd - coalesce(o.share, 0)
      from wallets w left join others o using (account_id) where w.account_id = any (ids)
      on conflict (account_id, node_id) do update set share_micro_vnd = excluded.share_micro_vnd
      returning mine.account_id, mine.share_micro_vnd
    )
    select c.account_id, c.share_micro_vnd, w.balance_micro_vnd, o.share is not null, a.status
    from claimed c join wallets w using (account_id) join accounts a on a.id = c.account_id
    left join others o using (account_id);
end $$;
