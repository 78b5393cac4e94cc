-- This server's clock may be set back, or another's be behind it after a fail-over: then what was written down is ahead of now for as
-- long as that was. Leases and counts of a minute end all the same as if they had been written now.

-- As before. Without what it does first, a lease would go on for that long, and nobody could judge for as long.
create or replace function beat(node integer, lease interval, seen bigint, told_ms float8)
returns table (live_nodes integer, latest_event_id bigint, recalled text[], at_ms float8) language plpgsql as $$
#variable_conflict use_column
declare
  began timestamptz := clock_timestamp();
  -- Renewals that come at once may be written in another order than they began in.
  spare interval := lease / 8;
  is_steady boolean;
  is_new boolean;
begin
  -- A node renews once after the other. Where its last time is ahead, the clock was set back since: what was heard of others before that
  -- might look as if it were heard later, so all have to be heard of anew.
  if exists (select from nodes n where n.id = node and n.lease_until > began + lease) then
    update nodes n set renewed_at = '-infinity'
    where n.id in (select o.id from nodes o where o.gone_at is null for no key update skip locked);
  end if;
  -- By the clock as it is when a row is looked at: this may have been stopped since it began, while others have renewed.
  if exists (
    select from nodes n
    where n.gone_at is null
      and (n.lease_until > clock_timestamp() + lease + spare or n.steady_since > clock_timestamp() + spare)
  ) then
    update nodes n set lease_until = least(n.lease_until, clock_timestamp() + lease),
      steady_since = least(n.steady_since, clock_timestamp())
    where n.id in (
      select o.id from nodes o
      where o.gone_at is null
        and (o.lease_until > clock_timestamp() + lease + spare or o.steady_since > clock_timestamp() + spare)
      for no key update skip locked
    );
  end if;
  update nodes n set seen_event_id = greatest(n.seen_event_id, seen), lease_until = began + lease,
    -- What comes from ahead of now was counted by the clock as it was before.
    renewed_at = case when to_timestamp(told_ms / 1000) <= began then to_timestamp(told_ms / 1000) else n.renewed_at end,
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
    (select coalesce(array_agg(r.account_id), '{}') from escrow_recalls r where r.node_id = node),
    (extract(epoch from began) * 1000)::float8;
end $$;

-- As before; of what was told ahead of now nobody knows when it was.
create or replace function escrow_sums(account text, claimer integer, since timestamptz)
returns table (spent numeric, held numeric, elsewhere numeric, others_idle boolean, unheard numeric, mine numeric, mine_exact boolean)
language sql stable as $$
  select coalesce(sum(e.spent_micro_vnd), 0), coalesce(sum(e.amount_micro_vnd) filter (where n.lives), 0),
    coalesce(sum(e.amount_micro_vnd) filter (where n.lives and e.node_id <> claimer), 0),
    coalesce(bool_or(not e.exact) filter (where n.lives and e.node_id <> claimer), false),
    -- A second for those that renew while this waits for a lock.
    coalesce(sum(e.amount_micro_vnd) filter (where n.lives and e.node_id <> claimer and e.amount_micro_vnd > 0
      and (n.renewed_at not between since and now() + interval '1 second' or own.is_ahead)), 0),
    coalesce(sum(e.amount_micro_vnd) filter (where e.node_id = claimer), 0), bool_or(e.exact) filter (where e.node_id = claimer)
  from wallet_escrows e, lateral (
    select gone_at is null as lives, renewed_at from nodes where id = e.node_id offset 0
  ) n, (
    -- The clock was set back since the claimer itself renewed last.
    select coalesce((select o.renewed_at > now() + interval '1 second' from nodes o where o.id = claimer), false) as is_ahead
  ) own
  where e.account_id = account
$$;

-- As before; what is ahead of now counts as of now.
create or replace function take_permits(ids text[], wants integer[], limits integer[])
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
    if present.times[cardinality(present.times)] > now_ms then
      present.times := array(
        select least(t.ms, now_ms) from unnest(present.times) with ordinality as t (ms, place) order by t.place
      );
      -- Else a key that is granted nothing would be as far from its end at each look.
      update key_windows k set times = present.times where k.key_id = asked.id;
    end if;
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
