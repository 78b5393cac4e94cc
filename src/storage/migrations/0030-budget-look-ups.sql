-- Whether a call that holds of a budget is in the log is looked up by the log's key, which begins with the account: without
-- it, each look read a part of the month. And holds are planned once for each session, as claims are.

-- What open calls hold of a key's budget.
create or replace function key_held(key text, starts_at timestamptz, ends_at timestamptz) returns bigint language sql stable as $$
  select coalesce(sum(h.amount_micro_vnd), 0)::int8 from key_holds h join keys k on k.id = h.key_id
  where h.key_id = key and h.at >= starts_at and h.at < ends_at
    and not exists (select from calls c where c.account_id = k.account_id and c.at = h.at and c.id = h.call_id offset 0)
    and exists (select from nodes n where n.id = h.node_id and n.gone_at is null)
$$;

-- Lets each call hold so much of its key's budget in all: what it wants, or what there is if that covers its minimum. `held`
-- is null where it does not; the call then keeps what it held before. Harmless to repeat. No rows for a node that is gone.
create or replace function hold_budgets(holder integer, holder_session integer, call_ids text[], key_ids text[], ats float8[],
  minimums bigint[], wants bigint[])
returns table (call_id text, held bigint) language plpgsql
  set plan_cache_mode = 'force_generic_plan' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  budget record;
  asked record;
  before bigint;
  room bigint;
begin
  perform 1 from nodes n where n.id = holder and n.session = holder_session and n.gone_at is null for key share;
  if not found then return; end if;
  -- One after another for each key, on all nodes. What is read from here on is what the one before has left.
  perform 1 from keys k where k.id = any (key_ids) order by k.id for no key update;
  delete from key_holds h using keys k where h.key_id = any (key_ids) and k.id = h.key_id and (
    exists (select from calls c where c.account_id = k.account_id and c.at = h.at and c.id = h.call_id offset 0)
    or not exists (select from nodes n where n.id = h.node_id and n.gone_at is null offset 0)
  );
  for budget in
    -- Sums and holds are of one moment, in one statement: a call that is committed meanwhile counts in one of them.
    select periods.key_id, periods.starts_at, periods.ends_at, periods.budget
      - key_spent(periods.key_id, periods.starts_at, periods.ends_at)
      - key_held(periods.key_id, periods.starts_at, periods.ends_at) as free
    from (
      select distinct k.id as key_id, k.budget_micro_vnd as budget,
        coalesce(budget_starts_at(k.budget_period, to_timestamp(a.at / 1000)), '-infinity') as starts_at,
        coalesce(budget_ends_at(k.budget_period, to_timestamp(a.at / 1000)), 'infinity') as ends_at
      from unnest(key_ids, ats) as a (key_id, at) join keys k on k.id = a.key_id
    ) periods
  loop
    for asked in
      select a.* from unnest(call_ids, key_ids, ats, minimums, wants) with ordinality
        as a (call_id, key_id, at, minimum, wanted, place)
      where a.key_id = budget.key_id and to_timestamp(a.at / 1000) >= budget.starts_at
        and to_timestamp(a.at / 1000) < budget.ends_at
      order by a.place
    loop
      call_id := asked.call_id;
      if budget.free is null then
        -- The key has no budget any more.
        held := asked.wanted;
      else
        select h.amount_micro_vnd into before from key_holds h where h.call_id = asked.call_id;
        room := budget.free + coalesce(before, 0);
        if room < greatest(asked.minimum, 1) then
          held := null;
        else
          held := least(asked.wanted, room);
          budget.free := room - held;
          insert into key_holds as mine (call_id, key_id, at, node_id, amount_micro_vnd)
          select asked.call_id, asked.key_id, to_timestamp(asked.at / 1000), holder, held where held > 0 or before is not null
          on conflict (call_id) do update set amount_micro_vnd = excluded.amount_micro_vnd, node_id = excluded.node_id;
        end if;
      end if;
      return next;
    end loop;
  end loop;
end $$;
