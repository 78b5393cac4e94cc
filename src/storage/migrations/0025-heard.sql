-- A wallet is refused only where every node that has enough of it has been heard of since; and whoever comes when all
-- others have died need not wait for a lease of its own.

alter table nodes add renewed_at timestamptz not null default clock_timestamp();

-- Since when this database does what it is asked: after a start, a repair or a fail-over its writer of the log is a new
-- process. Null where the role may not see it (pg_read_all_stats).
create function serving_since() returns timestamptz language sql stable as $$
  select min(backend_start) from pg_stat_activity where backend_type = 'walwriter'
$$;

-- As before; and a node that is new may say sooner who is gone, where the database was there for all of their leases.
create or replace function beat(node integer, lease interval, seen bigint)
returns table (live_nodes integer, latest_event_id bigint, recalled text[]) language plpgsql as $$
#variable_conflict use_column
declare
  began timestamptz := clock_timestamp();
  is_steady boolean;
  is_new boolean;
begin
  update nodes n set seen_event_id = greatest(n.seen_event_id, seen), lease_until = began + lease, renewed_at = began,
    -- With half a lease between two renewals it was away, though not for long enough to be gone: others may have been, too.
    steady_since = case when n.lease_until < began + lease / 2 then began else n.steady_since end
  where n.id = node and n.gone_at is null
  returning n.steady_since < began - lease, n.steady_since < least(n.started_at + lease / 4, began - lease / 4)
  into is_steady, is_new;
  if not found then return; end if;
  -- Who was away itself, as all are after an outage of this database, must first give others the time to come back.
  if (is_steady or is_new) and exists (select from nodes n where n.gone_at is null and n.lease_until < began) then
    if is_steady or serving_since() < began - lease then
      perform declare_gone(began, lease);
    end if;
  end if;
  return query select
    (select count(*)::integer from nodes n where n.gone_at is null and n.lease_until >= began),
    (select coalesce(max(e.id), 0) from node_events e),
    (select coalesce(array_agg(r.account_id), '{}') from escrow_recalls r where r.node_id = node);
end $$;

drop function claim_wallets(integer, integer, text[], bigint[], bigint[]);

-- Claims parts of wallets for a node: each as much as its calls want, a generous part where the wallet is rich, all
-- there is where no other node lives, nothing where not even `minimum` is there (below zero: it takes what there is now). `domain/escrow.ts` has the same rule.
-- `pending`: others have idle parts, and have been asked for them. `unheard`: it is too little, but enough is with others
-- who have not renewed for as long as was waited for it; their calls may have ended with them.
-- No row for unknown wallets; no rows for gone nodes.
create function claim_wallets(claimer integer, claim_session integer, ids text[], wants bigint[], minimums bigint[],
  waited_ms bigint[] default '{}')
returns table (account_id text, granted bigint, amount bigint, is_exact boolean, is_pending boolean, is_unheard boolean,
  elsewhere bigint, free bigint, account_status text) language plpgsql as $$
#variable_conflict use_column
declare
  is_alone boolean;
  began timestamptz;
begin
  perform 1 from nodes n where n.id = claimer and n.session = claim_session and n.gone_at is null for key share;
  if not found then return; end if;
  is_alone := not exists (select from nodes n where n.id <> claimer and n.gone_at is null);
  perform 1 from wallets w where w.account_id = any (ids) order by w.account_id for no key update;
  began := clock_timestamp();
  perform book_gone(ids);
  return query
  with asked as (
    select * from unnest(ids, wants, minimums, waited_ms) as a (account_id, wanted, minimum, waited_ms)
  ), found as (
    select a.account_id, a.wanted, a.minimum, w.booked_micro_vnd - coalesce(sum(e.spent_micro_vnd + e.amount_micro_vnd), 0) as free,
      coalesce(sum(e.amount_micro_vnd) filter (where e.node_id <> claimer), 0) as elsewhere,
      coalesce(bool_or(not e.exact) filter (where e.node_id <> claimer), false) as others_idle,
      coalesce(sum(e.amount_micro_vnd) filter (where e.node_id <> claimer and e.amount_micro_vnd > 0
        and n.renewed_at < began - coalesce(a.waited_ms, 0) * interval '1 millisecond'), 0) as unheard
    from asked a join wallets w using (account_id) left join wallet_escrows e using (account_id) left join nodes n on n.id = e.node_id
    group by a.account_id, a.wanted, a.minimum, w.booked_micro_vnd
  ), ruled as (
    select f.*, rule.granted, rule.is_exact, f.others_idle and rule.granted < f.wanted as is_pending,
      rule.granted < f.wanted and f.unheard > 0 and f.free + f.unheard >= greatest(f.minimum, 1) as is_unheard
    from found f, lateral (
      select case
          when f.free < greatest(f.minimum, 1) or (f.others_idle and f.free < f.wanted and f.minimum >= 0) then 0
          when is_alone then f.free
          when div(f.free, 64) >= f.wanted then greatest(f.wanted, div(f.free, 8))
          else least(f.wanted, f.free) end as granted,
        not is_alone and div(f.free, 64) < greatest(f.wanted, 1) as is_exact
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
  select r.account_id, r.granted::int8, written.amount_micro_vnd, r.is_exact, r.is_pending, r.is_unheard, r.elsewhere::int8,
    (r.free - r.granted)::int8, a.status
  from ruled r join written using (account_id) join accounts a on a.id = r.account_id
  left join told on true;
end $$;
