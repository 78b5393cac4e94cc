-- Nodes live by leases, and what a node may spend of a wallet is its escrow: an amount that only that node changes.
--
-- What holds for every wallet at every moment: balance = booked - sum of spent; the escrows of nodes that are not gone
-- never add up to more than the balance when they are claimed. A charge moves an amount from escrow to spent in a row
-- that no other node writes, so that nodes never wait for each other over a busy wallet.

do $$ begin
  if exists (select from live_nodes()) then
    raise exception 'nodes of the former version still run: stop all of them first' using errcode = '42000';
  end if;
end $$;

drop function claim_wallets(integer, text[]);
drop function live_nodes();
drop table wallet_shares;
delete from nodes;

-- A node is one life of one process, from its registration to the end of its lease. Others treat it as gone, for good,
-- once `lease_until` has passed by this database's clock.
alter table nodes
  -- Known to the process alone, and to the one after it on the same data folder: either may say that this life is over.
  add token text not null unique,
  -- The smallest number that no other living node has: keeps rows of sums apart that nodes would fight over.
  add slot smallint not null,
  -- Which of its journal's connections is the present one; a statement of an older one does nothing any more.
  add session integer not null default 0,
  add journal_pid integer,
  add lease_until timestamptz not null,
  -- Since when it has renewed without a gap: only who was there all the time may say that others are gone.
  add steady_since timestamptz not null,
  add gone_at timestamptz;
alter table nodes set (fillfactor = 50);
create unique index nodes_slot on nodes (slot) where gone_at is null;

create function live_nodes() returns setof integer language sql stable as $$
  select id from nodes where gone_at is null and lease_until >= clock_timestamp()
$$;

-- Credits, corrections and the charges of nodes that are gone; see wallet_balances.
alter table wallets rename column balance_micro_vnd to booked_micro_vnd;

create table wallet_escrows (
  account_id text collate "C" not null references wallets (account_id),
  node_id integer not null references nodes (id),
  -- What the node may spend, held by its calls or not. Below zero where a call cost more than its hold.
  amount_micro_vnd bigint not null,
  -- What it has charged, and is not booked yet.
  spent_micro_vnd bigint not null default 0,
  -- All of it is held by open calls: nothing that others lack lies idle here.
  exact boolean not null,
  primary key (account_id, node_id)
) with (fillfactor = 50);
create index wallet_escrows_node on wallet_escrows (node_id);

create view wallet_balances as
  select w.account_id, w.updated_at, (w.booked_micro_vnd - coalesce((
    select sum(e.spent_micro_vnd) from wallet_escrows e where e.account_id = w.account_id
  ), 0))::int8 as balance_micro_vnd
  from wallets w;

-- What others ask a node to give back, until it has.
create table escrow_recalls (
  node_id integer not null references nodes (id) on delete cascade,
  account_id text collate "C" not null,
  primary key (node_id, account_id)
);

-- Makes a node. `former`: tokens of lives of the same process or data folder, which are certainly over.
create function register_node(new_token text, former text[], lease interval)
returns table (id integer, slot smallint, event_id bigint) language plpgsql as $$
#variable_conflict use_column
declare
  began timestamptz;
begin
  perform pg_advisory_xact_lock(712001, 0);
  -- Waits for a commit of that life which is under way.
  perform 1 from nodes n where n.token = any (former) and n.gone_at is null for update;
  began := clock_timestamp();
  update nodes n set gone_at = began where n.token = any (former) and n.gone_at is null;
  return query
    insert into nodes as n (token, slot, lease_until, steady_since, seen_event_id)
    select new_token, free.slot, began + lease, began, (select coalesce(max(e.id), 0) from node_events e)
    from (
      select s::smallint as slot from generate_series(0, 32767) s
      where not exists (select from nodes o where o.slot = s and o.gone_at is null) order by s limit 1
    ) free
    returning n.id, n.slot, n.seen_event_id;
end $$;

-- Renews a lease and answers what the node has not heard of yet; no row when it is gone.
create function beat(node integer, lease interval, seen bigint)
returns table (live_nodes integer, latest_event_id bigint, recalled text[]) language plpgsql as $$
#variable_conflict use_column
declare
  began timestamptz := clock_timestamp();
  is_steady boolean;
begin
  update nodes n set seen_event_id = greatest(n.seen_event_id, seen), lease_until = began + lease,
    -- With half a lease between two renewals it was away, though not for long enough to be gone: others may have been, too.
    steady_since = case when n.lease_until < began + lease / 2 then began else n.steady_since end
  where n.id = node and n.gone_at is null
  returning n.steady_since < began - lease into is_steady;
  if not found then return; end if;
  -- Who was away itself, as all are after an outage of this database, must first give others the time to come back.
  if is_steady and exists (select from nodes n where n.gone_at is null and n.lease_until < began) then
    perform declare_gone(began, lease);
  end if;
  return query select
    (select count(*)::integer from nodes n where n.gone_at is null and n.lease_until >= began),
    (select coalesce(max(e.id), 0) from node_events e),
    (select coalesce(array_agg(r.account_id), '{}') from escrow_recalls r where r.node_id = node);
end $$;

create function declare_gone(began timestamptz, lease interval) returns void language plpgsql as $$
#variable_conflict use_column
begin
  -- A commit of theirs that is under way keeps its row; one that hangs is ended.
  perform pg_terminate_backend(n.journal_pid) from nodes n
  where n.gone_at is null and n.lease_until < began - interval '1 second' and n.journal_pid is not null;
  update nodes n set gone_at = began where n.id in (
    select o.id from nodes o where o.gone_at is null and o.lease_until < began for update skip locked
  );
end $$;

-- Begins a session of the node's journal: waits for a statement of the former one, whose like does nothing from now on.
create function begin_journal(node integer) returns integer language plpgsql as $$
declare
  present integer;
begin
  perform 1 from nodes n where n.id = node and n.gone_at is null for update;
  update nodes n set session = n.session + 1, journal_pid = pg_backend_pid()
  where n.id = node and n.gone_at is null returning n.session into present;
  return present;
end $$;

-- Claims parts of wallets for a node: each as much as its calls want, a generous part where the wallet is rich, all
-- there is where no other node lives, nothing where not even `minimum` is there (below zero: it takes what there is now). `domain/escrow.ts` has the same rule.
-- `pending`: others have idle parts, and have been asked for them. No row for unknown wallets; no rows for gone nodes.
create function claim_wallets(claimer integer, claim_session integer, ids text[], wants bigint[], minimums bigint[])
returns table (account_id text, granted bigint, amount bigint, is_exact boolean, is_pending boolean, elsewhere bigint,
  free bigint, account_status text) language plpgsql as $$
#variable_conflict use_column
declare
  is_alone boolean;
  recalled integer[];
begin
  perform 1 from nodes n where n.id = claimer and n.session = claim_session and n.gone_at is null for key share;
  if not found then return; end if;
  is_alone := not exists (select from nodes n where n.id <> claimer and n.gone_at is null);
  perform 1 from wallets w where w.account_id = any (ids) order by w.account_id for no key update;
  perform book_gone(ids);
  return query
  with asked as (
    select * from unnest(ids, wants, minimums) as a (account_id, wanted, minimum)
  ), found as (
    select a.account_id, a.wanted, a.minimum, w.booked_micro_vnd - coalesce(sum(e.spent_micro_vnd + e.amount_micro_vnd), 0) as free,
      coalesce(sum(e.amount_micro_vnd) filter (where e.node_id <> claimer), 0) as elsewhere,
      coalesce(bool_or(not e.exact) filter (where e.node_id <> claimer), false) as others_idle
    from asked a join wallets w using (account_id) left join wallet_escrows e using (account_id)
    group by a.account_id, a.wanted, a.minimum, w.booked_micro_vnd
  ), ruled as (
    select f.*, rule.granted, rule.is_exact, f.others_idle and rule.granted < f.wanted as is_pending
    from found f, lateral (
      select case
          when f.free < greatest(f.minimum, 1) or (f.others_idle and f.free < f.wanted and f.minimum >= 0) then 0
          when is_alone then f.free
          when f.free / 64 >= f.wanted then greatest(f.wanted, f.free / 8)
          else least(f.wanted, f.free) end as granted,
        not is_alone and f.free / 64 < greatest(f.wanted, 1) as is_exact
    ) rule
  ), written as (
    insert into wallet_escrows as mine (account_id, node_id, amount_micro_vnd, exact)
    select r.account_id, claimer, r.granted::int8, r.is_exact from ruled r
    on conflict (account_id, node_id) do update set
      amount_micro_vnd = mine.amount_micro_vnd + excluded.amount_micro_vnd, exact = excluded.exact
    returning mine.account_id, mine.amount_micro_vnd
  ), recalls as (
    insert into escrow_recalls (node_id, account_id)
    select e.node_id, e.account_id from ruled r join wallet_escrows e using (account_id)
    where r.is_pending and e.node_id <> claimer and not e.exact
    on conflict do nothing
    returning node_id
  ), told as (
    select pg_notify('tollgate_recalls', string_agg(distinct node_id::text, ' ')) from recalls having count(*) > 0
  )
  select r.account_id, r.granted::int8, written.amount_micro_vnd, r.is_exact, r.is_pending, r.elsewhere::int8,
    (r.free - r.granted)::int8, a.status
  from ruled r join written using (account_id) join accounts a on a.id = r.account_id
  left join told on true;
end $$;

-- Books what nodes that are gone have charged these wallets. The caller holds the wallets' locks.
create function book_gone(ids text[]) returns void language sql as $$
  with ended as (
    delete from wallet_escrows e using nodes n
    where e.account_id = any (ids) and n.id = e.node_id and n.gone_at is not null
    returning e.account_id, e.spent_micro_vnd
  )
  update wallets w set booked_micro_vnd = w.booked_micro_vnd - sums.spent
  from (select account_id, sum(spent_micro_vnd)::int8 as spent from ended group by account_id) sums
  where w.account_id = sums.account_id and sums.spent <> 0
$$;

-- The node has put these wallets away: what it spent is booked, what it did not is free.
create function return_wallets(returner integer, return_session integer, ids text[]) returns void language plpgsql as $$
begin
  perform 1 from nodes n where n.id = returner and n.session = return_session and n.gone_at is null for key share;
  if not found then return; end if;
  perform 1 from wallets w where w.account_id = any (ids) order by w.account_id for no key update;
  with ended as (
    delete from wallet_escrows e where e.account_id = any (ids) and e.node_id = returner
    returning e.account_id, e.spent_micro_vnd
  )
  update wallets w set booked_micro_vnd = w.booked_micro_vnd - ended.spent_micro_vnd
  from ended where w.account_id = ended.account_id and ended.spent_micro_vnd <> 0;
end $$;

-- Books some more of what nodes that are gone have left, and forgets those who left nothing. Answers how many wallets.
create function tidy_gone(wallets_max integer) returns integer language plpgsql as $$
declare
  ids text[];
begin
  select coalesce(array_agg(distinct account_id), '{}') into ids from (
    select e.account_id from nodes n join wallet_escrows e on e.node_id = n.id
    where n.gone_at is not null limit wallets_max
  ) left_behind;
  perform 1 from wallets w where w.account_id = any (ids) order by w.account_id for no key update;
  perform book_gone(ids);
  delete from nodes n where n.gone_at < now() - interval '1 day'
    and not exists (select from wallet_escrows e where e.node_id = n.id);
  return cardinality(ids);
end $$;

-- How many calls each limited key was admitted in the last minute, on all nodes: pairs of a time (ms since 1970, rounded
-- up to a tenth of a second) and a count, oldest first.
create table key_windows (
  key_id text collate "C" primary key,
  times bigint[] not null,
  counts integer[] not null
) with (fillfactor = 50);

-- Admits up to `wants` calls of each key within its limit a minute, in any 60 s.
create function take_permits(ids text[], wants integer[], limits integer[])
returns table (key_id text, granted integer, retry_after_ms integer) language plpgsql as $$
#variable_conflict use_column
declare
  asked record;
  present record;
  now_ms bigint;
  first integer;
  used integer;
  missing integer;
begin
  -- What is lost with the last moments before a crash is a minute's count at most.
  perform set_config('synchronous_commit', 'off', true);
  insert into key_windows (key_id, times, counts) select id, '{}', '{}' from unnest(ids) id order by id on conflict do nothing;
  for asked in select * from unnest(ids, wants, limits) as a (id, want, max) order by a.id loop
    select * into present from key_windows k where k.key_id = asked.id for update;
    now_ms := ceil(extract(epoch from clock_timestamp()) * 10) * 100;
    first := 1;
    while first <= cardinality(present.times) and present.times[first] <= now_ms - 60000 loop first := first + 1; end loop;
    present.times := present.times[first:];
    present.counts := present.counts[first:];
    select coalesce(sum(c), 0) into used from unnest(present.counts) c;
    key_id := asked.id;
    granted := least(asked.want, greatest(0, asked.max - used));
    retry_after_ms := 0;
    if granted < asked.want then
      missing := used + 1 - asked.max;
      first := 0;
      while missing > 0 and first < cardinality(present.counts) loop
        first := first + 1;
        missing := missing - present.counts[first];
      end loop;
      retry_after_ms := case when first = 0 then 60000 else greatest(1, present.times[first] + 60000 - now_ms) end;
    end if;
    if granted > 0 then
      if present.times[cardinality(present.times)] = now_ms then
        present.counts[cardinality(present.counts)] := present.counts[cardinality(present.counts)] + granted;
      else
        present.times := present.times || now_ms;
        present.counts := present.counts || granted;
      end if;
      update key_windows k set times = present.times, counts = present.counts where k.key_id = asked.id;
    end if;
    return next;
  end loop;
end $$;
