-- What all keys that a member of an account has made may spend together in a period. It outlives the membership, since the
-- keys do: no row, no budget.
create table member_budgets (
  id bigint generated always as identity unique,
  account_id text collate "C" not null references accounts (id),
  person_id text collate "C" not null references accounts (id),
  budget_micro_vnd bigint not null check (budget_micro_vnd > 0),
  budget_period text not null check (budget_period in ('total', 'day', 'week', 'month')),
  primary key (account_id, person_id)
);

-- Whether a person has made so few keys of the account that one looks at each; beyond that, one looks at what there is of the account.
-- An account has ten active keys, and no end of revoked ones.
create function made_few_keys(account text, person text) returns boolean language sql stable as $$
  select count(*) <= 100 from (
    select from keys k where k.account_id = account and k.made_by = person limit 101
  ) made
$$;

-- What the keys that a person made have spent, from a whole hour or from the beginning of time. A call counts in the hour in
-- which it began, hence before its key was revoked: what was revoked long before has no part in it. A day is for clocks.
create function member_spent(account text, person text, starts_at timestamptz, ends_at timestamptz)
returns bigint language sql stable as $$
  select case when made_few_keys(account, person) then (
    select coalesce(sum(key_spent(k.id, starts_at, ends_at)), 0) from keys k
    where k.account_id = account and k.made_by = person
      and (k.revoked_at is null or k.revoked_at > starts_at - interval '1 day')
  ) else coalesce((
    select sum(m.cost_micro_vnd) from usage_months m where m.account_id = account and starts_at = '-infinity'
      and exists (select from keys k where k.id = m.key_id and k.made_by = person offset 0)
  ), 0) + coalesce((
    select sum(h.cost_micro_vnd) from usage_hours h where h.account_id = account
      and exists (select from keys k where k.id = h.key_id and k.made_by = person offset 0)
      and h.hour < ends_at and h.hour >= case when starts_at = '-infinity' then calls_open_from() else starts_at end
  ), 0) end::int8
$$;

-- What open calls of the keys that a person made hold: few calls of all accounts are open, compared with their keys.
create function member_held(account text, person text, starts_at timestamptz, ends_at timestamptz)
returns bigint language sql stable as $$
  select case when made_few_keys(account, person) then (
    select coalesce(sum(key_held(k.id, starts_at, ends_at)), 0) from keys k
    where k.account_id = account and k.made_by = person
      and (k.revoked_at is null or k.revoked_at > starts_at - interval '1 day')
  ) else (
    select coalesce(sum(key_held(open.id, starts_at, ends_at)), 0)
    from (select distinct h.key_id as id from key_holds h offset 0) open
    where exists (select from keys k where k.id = open.id and k.account_id = account and k.made_by = person offset 0)
  ) end::int8
$$;

-- Lets each call hold so much in all of its key's budget and of its maker's, of each where there is one: what it wants, or what
-- there is in both if that covers its minimum. `held` is null where it does not; `short_of` then says which lacks it, and the
-- call keeps what it held before. One row of `key_holds` counts in both. Harmless to repeat. No rows for a node that is gone.
drop function hold_budgets(integer, integer, text[], text[], float8[], bigint[], bigint[]);
create function hold_budgets(holder integer, holder_session integer, call_ids text[], key_ids text[], ats float8[],
  minimums bigint[], wants bigint[])
returns table (call_id text, held bigint, short_of text) language plpgsql
  set plan_cache_mode = 'force_generic_plan' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  budget record;
  asked record;
  before bigint;
  least_held bigint;
  room bigint;
  free_of_key bigint;
  free_of_member bigint;
  maker record;
  member bigint;
  members bigint[];
begin
  perform 1 from nodes n where n.id = holder and n.session = holder_session and n.gone_at is null for key share;
  if not found then return; end if;
  -- One after another for each key, then for each member, on all nodes: everybody locks in this order. What is read from here on
  -- is what the one before has left, and only what is locked counts.
  perform 1 from keys k where k.id = any (key_ids) order by k.id for no key update;
  for maker in
    select distinct k.account_id, k.made_by from keys k where k.id = any (key_ids) and k.made_by is not null order by 1, 2
  loop
    select m.id into member from member_budgets m
    where m.account_id = maker.account_id and m.person_id = maker.made_by for no key update;
    if found then members := array_append(members, member); end if;
  end loop;
  delete from key_holds h using keys k where h.key_id = any (key_ids) and k.id = h.key_id and (
    exists (select from calls c where c.account_id = k.account_id and c.at = h.at and c.id = h.call_id offset 0)
    or not exists (select from nodes n where n.id = h.node_id and n.gone_at is null offset 0)
  );
  for budget in
    select distinct k.id as key_id, k.budget_micro_vnd as of_key,
      coalesce(budget_starts_at(k.budget_period, to_timestamp(a.at / 1000)), '-infinity') as starts_at,
      coalesce(budget_ends_at(k.budget_period, to_timestamp(a.at / 1000)), 'infinity') as ends_at,
      m.account_id, m.person_id, m.budget_micro_vnd as of_member,
      coalesce(budget_starts_at(m.budget_period, to_timestamp(a.at / 1000)), '-infinity') as member_starts_at,
      coalesce(budget_ends_at(m.budget_period, to_timestamp(a.at / 1000)), 'infinity') as member_ends_at
    from unnest(key_ids, ats) as a (key_id, at) join keys k on k.id = a.key_id
      left join member_budgets m on m.id = any (members) and m.account_id = k.account_id and m.person_id = k.made_by
    order by key_id, starts_at, member_starts_at
  loop
    -- Sums and holds are of one moment, in one statement: a call that is committed meanwhile counts in one of them. It is asked
    -- for each two periods anew: what was let hold above counts, be it of another key or of another period of the other budget.
    select
      case when budget.of_key is not null then budget.of_key
        - key_spent(budget.key_id, budget.starts_at, budget.ends_at)
        - key_held(budget.key_id, budget.starts_at, budget.ends_at) end,
      case when budget.of_member is not null then budget.of_member
        - member_spent(budget.account_id, budget.person_id, budget.member_starts_at, budget.member_ends_at)
        - member_held(budget.account_id, budget.person_id, budget.member_starts_at, budget.member_ends_at) end
    into free_of_key, free_of_member;
    for asked in
      select a.* from unnest(call_ids, key_ids, ats, minimums, wants) with ordinality
        as a (call_id, key_id, at, minimum, wanted, place)
      where a.key_id = budget.key_id
        and to_timestamp(a.at / 1000) >= budget.starts_at and to_timestamp(a.at / 1000) < budget.ends_at
        and to_timestamp(a.at / 1000) >= budget.member_starts_at and to_timestamp(a.at / 1000) < budget.member_ends_at
      order by a.place
    loop
      call_id := asked.call_id;
      short_of := null;
      if free_of_key is null and free_of_member is null then
        -- Neither has a budget any more.
        held := asked.wanted;
      else
        select h.amount_micro_vnd into before from key_holds h where h.call_id = asked.call_id;
        before := coalesce(before, 0);
        least_held := greatest(asked.minimum, 1);
        room := least(free_of_key, free_of_member) + before;
        if room < least_held then
          held := null;
          short_of := case when free_of_key + before < least_held then 'key' else 'member' end;
        else
          held := least(asked.wanted, room);
          free_of_key := free_of_key + before - held;
          free_of_member := free_of_member + before - held;
          insert into key_holds as mine (call_id, key_id, at, node_id, amount_micro_vnd)
          select asked.call_id, asked.key_id, to_timestamp(asked.at / 1000), holder, held where held > 0 or before > 0
          on conflict (call_id) do update set amount_micro_vnd = excluded.amount_micro_vnd, node_id = excluded.node_id;
        end if;
      end if;
      return next;
    end loop;
  end loop;
end $$;
