-- What is set on a key beside its limit a minute: what it may spend in a period, for what and from where it may be used, and
-- until when; and a new secret for the same key. Nothing is set where a column is null.
alter table keys
  add budget_micro_vnd bigint check (budget_micro_vnd > 0),
  add budget_period text check (budget_period in ('total', 'day', 'week', 'month')),
  -- Ids of models; with a star at the end all that begin so.
  add models text[],
  add endpoints text[],
  -- In CIDR notation.
  add allowed_ips text[],
  add expires_at timestamptz,
  add paused boolean not null default false,
  -- How often the secret was replaced; what `secret_hash` is of has this number, the one before it the number below.
  add secret_number integer not null default 0,
  add former_secret_hash bytea check (length(former_secret_hash) = 32),
  add former_secret_until timestamptz,
  add check ((budget_micro_vnd is null) = (budget_period is null)),
  add check ((former_secret_hash is null) = (former_secret_until is null));
create unique index keys_former_secret on keys (former_secret_hash) where former_secret_hash is not null;

-- What a key has spent in a period is the sum of its hours, which come with the calls themselves: periods begin at midnight in
-- Viet Nam, hence with an hour.
drop index usage_hours_key;
create index usage_hours_key on usage_hours (key_id, hour);

-- What open calls of keys with budgets hold of them. A hold is over once its call is in the log, which is one moment with the
-- call's cost being in the sums, or once its node is gone.
create table key_holds (
  call_id text collate "C" primary key,
  key_id text collate "C" not null references keys (id),
  -- When the call began, as in its row: it counts in that period, whenever it ends.
  at timestamptz not null,
  node_id integer not null references nodes (id) on delete cascade,
  amount_micro_vnd bigint not null
) with (fillfactor = 50);
create index key_holds_key on key_holds (key_id);
create index key_holds_node on key_holds (node_id);

-- Viet Nam has no summer time; weeks begin on Mondays.
create function budget_starts_at(period text, at timestamptz) returns timestamptz language sql immutable as $$
  select case period when 'total' then '-infinity'::timestamptz
    else date_trunc(period, at at time zone interval '+07:00') at time zone interval '+07:00' end
$$;

create function budget_ends_at(period text, at timestamptz) returns timestamptz language sql immutable as $$
  select case period when 'total' then 'infinity'::timestamptz
    else (date_trunc(period, at at time zone interval '+07:00') + ('1 ' || period)::interval) at time zone interval '+07:00' end
$$;

-- What a key has spent, from a whole hour or from the beginning of time.
create function key_spent(key text, starts_at timestamptz, ends_at timestamptz) returns bigint language sql stable as $$
  select (
    coalesce((
      select sum(m.cost_micro_vnd) from usage_months m where m.key_id = key and starts_at = '-infinity'
    ), 0) + coalesce((
      select sum(h.cost_micro_vnd) from usage_hours h
      where h.key_id = key and h.hour < ends_at
        and h.hour >= case when starts_at = '-infinity' then calls_open_from() else starts_at end
    ), 0)
  )::int8
$$;

-- What open calls hold of a key's budget.
create function key_held(key text, starts_at timestamptz, ends_at timestamptz) returns bigint language sql stable as $$
  select coalesce(sum(h.amount_micro_vnd), 0)::int8 from key_holds h
  where h.key_id = key and h.at >= starts_at and h.at < ends_at
    and not exists (select from calls c where c.id = h.call_id and c.at = h.at)
    and exists (select from nodes n where n.id = h.node_id and n.gone_at is null)
$$;

-- Lets each call hold so much of its key's budget in all: what it wants, or what there is if that covers its minimum. `held`
-- is null where it does not; the call then keeps what it held before. Harmless to repeat. No rows for a node that is gone.
create function hold_budgets(holder integer, holder_session integer, call_ids text[], key_ids text[], ats float8[],
  minimums bigint[], wants bigint[])
returns table (call_id text, held bigint) language plpgsql as $$
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
  delete from key_holds h where h.key_id = any (key_ids) and (
    exists (select from calls c where c.id = h.call_id and c.at = h.at)
    or not exists (select from nodes n where n.id = h.node_id and n.gone_at is null)
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
