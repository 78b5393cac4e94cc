-- A node counts as heard of up to the moment for which it says that it has told all: what came free there before is in the
-- database. A renewal may overtake what is still on its way, so its own moment does not say that.
drop function beat(integer, interval, bigint);

-- As before. `told_ms`: ms since 1970 by this clock, null where the node can not say; `at_ms` is the clock now.
create function beat(node integer, lease interval, seen bigint, told_ms float8)
returns table (live_nodes integer, latest_event_id bigint, recalled text[], at_ms float8) language plpgsql as $$
#variable_conflict use_column
declare
  began timestamptz := clock_timestamp();
  is_steady boolean;
  is_new boolean;
begin
  update nodes n set seen_event_id = greatest(n.seen_event_id, seen), lease_until = began + lease,
    -- Not `coalesce(least(…))`: `least` leaves null out.
    renewed_at = case when told_ms is null then n.renewed_at else least(began, to_timestamp(told_ms / 1000)) end,
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
