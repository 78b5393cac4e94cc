-- That nothing lies idle on a node any more is noted when the node says so, with what it has then: a claim of its own
-- may be under way for a second, or wait for others, while what it had before lies idle there and is missing elsewhere.

-- Claims parts of wallets for a node: each as much as its calls want, a generous part where the wallet is rich, all
-- there is where no other node lives, nothing where not even `minimum` is there (below zero: it takes what there is now).
-- `domain/escrow.ts` has the same rule. `pending`: others have idle parts, and have been asked for them. `unheard`: it is too
-- little, but enough is with others who have not renewed for as long as was waited for it; their calls may have ended with
-- them. No row for unknown wallets; no rows for gone nodes.
create or replace function claim_wallets(claimer integer, claim_session integer, ids text[], wants bigint[], minimums bigint[],
  waited_ms bigint[] default '{}')
returns table (account_id text, granted bigint, amount bigint, is_exact boolean, is_pending boolean, is_unheard boolean,
  elsewhere bigint, free bigint, account_status text) language plpgsql
  set plan_cache_mode = 'force_generic_plan' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  is_alone boolean;
  began timestamptz := clock_timestamp();
  looked record;
  claimed text[] := '{}';
begin
  perform 1 from nodes n where n.id = claimer and n.session = claim_session and n.gone_at is null;
  if not found then return; end if;
  for looked in
    select a.*, s.*, w.booked_micro_vnd - s.spent - s.held as free, accounts.status
    from unnest(ids, wants, minimums, waited_ms) as a (account_id, wanted, minimum, waited_ms)
    join wallets w using (account_id) join accounts on accounts.id = a.account_id
    cross join lateral escrow_sums(a.account_id, claimer, began - coalesce(a.waited_ms, 0) * interval '1 millisecond') s
  loop
    -- It can give something, or others can.
    if looked.free >= greatest(looked.minimum, 1) or looked.others_idle then
      claimed := claimed || looked.account_id;
      continue;
    end if;
    account_id := looked.account_id;
    granted := 0;
    amount := looked.mine;
    is_exact := exists (select from nodes n where n.id <> claimer and n.gone_at is null) and div(looked.free, 64) < greatest(looked.wanted, 1);
    is_pending := false;
    is_unheard := looked.wanted > 0 and looked.unheard > 0 and looked.free + looked.unheard >= greatest(looked.minimum, 1);
    elsewhere := looked.elsewhere;
    free := looked.free;
    account_status := looked.status;
    return next;
  end loop;
  if cardinality(claimed) = 0 then return; end if;
  perform 1 from nodes n where n.id = claimer and n.session = claim_session and n.gone_at is null for key share;
  if not found then return; end if;
  is_alone := not exists (select from nodes n where n.id <> claimer and n.gone_at is null);
  perform 1 from wallets w where w.account_id = any (claimed) order by w.account_id for no key update;
  began := clock_timestamp();
  perform book_gone(claimed);
  return query
  with found as (
    select a.account_id, a.wanted, a.minimum, w.booked_micro_vnd - s.spent - s.held as free, s.elsewhere, s.others_idle, s.unheard
    from unnest(ids, wants, minimums, waited_ms) as a (account_id, wanted, minimum, waited_ms)
    join wallets w using (account_id)
    cross join lateral escrow_sums(a.account_id, claimer, began - coalesce(a.waited_ms, 0) * interval '1 millisecond') s
    where a.account_id = any (claimed)
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
      amount_micro_vnd = mine.amount_micro_vnd + excluded.amount_micro_vnd, exact = mine.exact and excluded.exact
    returning mine.account_id, mine.amount_micro_vnd
  ), recalls as (
    insert into escrow_recalls (node_id, account_id)
    select e.node_id, r.account_id from ruled r, lateral (
      select node_id from wallet_escrows where account_id = r.account_id and node_id <> claimer and not exact offset 0
    ) e
    where r.is_pending
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
