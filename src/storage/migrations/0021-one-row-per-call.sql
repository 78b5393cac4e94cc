-- A call's row is its ledger entry: ledger_entries keeps what is not a call. balance = sum of entries - sum of costs.

-- Indexes of whole tables are built below; what fits in memory is sorted there.
set local maintenance_work_mem = '256MB';

-- The former entries of calls say what their rows say, or this migration does not happen. Both sides are counted, summed
-- and hashed, which takes a third of the time of joining them; they are joined to find who is wrong.
do $$
declare
  are_same boolean;
  wrong record;
begin
  select e is not distinct from c into are_same from (
    select count(*), sum(amount_micro_vnd), bit_xor(hashtextextended(source_id || ' ' || account_id, amount_micro_vnd))
    from ledger_entries where source = 'call'
  ) e, (
    select count(*), sum(-cost_micro_vnd), bit_xor(hashtextextended(id || ' ' || account_id, -cost_micro_vnd))
    from calls where cost_micro_vnd > 0
  ) c;
  if are_same then return; end if;
  select * into wrong from (
    select source_id as id, account_id, sum(amount_micro_vnd) as amount from ledger_entries where source = 'call' group by 1, 2
  ) e full join (
    select id, account_id, sum(cost_micro_vnd) as cost from calls where cost_micro_vnd > 0 group by 1, 2
  ) c using (id, account_id)
  where e.amount is distinct from -c.cost limit 1;
  raise exception 'the ledger and the call log disagree about % of %: entry %, cost %. Run the audit of the former version',
    wrong.id, wrong.account_id, coalesce(wrong.amount::text, 'none'), coalesce(wrong.cost::text, 'none')
    using errcode = '42000';
end $$;

create table entries_kept (like ledger_entries including defaults);
alter table entries_kept alter id add generated always as identity;
insert into entries_kept (id, account_id, at, source, source_id, amount_micro_vnd, reason, actor)
  overriding system value
  select id, account_id, at, source, source_id, amount_micro_vnd, reason, actor
  from ledger_entries where source <> 'call' order by id;
select setval('entries_kept_id_seq', last_value, is_called) from ledger_entries_id_seq;
drop table ledger_entries;
alter table entries_kept rename to ledger_entries;
alter sequence entries_kept_id_seq rename to ledger_entries_id_seq;
alter table ledger_entries
  add constraint ledger_entries_source_check check (source in ('credit', 'top_up')),
  add constraint ledger_entries_account_id_fkey foreign key (account_id) references wallets (account_id),
  add constraint ledger_entries_pkey primary key (account_id, id);
create unique index ledger_entries_source on ledger_entries (source, source_id);
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();

-- One index finds a call again when it is written twice, and gives an account its calls in the order of time; another
-- gives it those that failed. The hours of a key are found in usage_hours. The calls of a moment, of all accounts, lie
-- together on disk: a few bytes for every megabyte find them.
drop index calls_account, calls_key, calls_failed;
alter table calls drop constraint calls_pkey;
alter table calls add primary key (account_id, at, id);
create index calls_failed on calls (account_id, at, id) where status >= 400;
create index calls_at on calls using brin (at) with (autosummarize = on);

-- Sums of nodes that serve at once stand in rows of their own; see nodes.slot.
alter table usage_hours add slot smallint not null default 0;
alter table usage_hours drop constraint usage_hours_pkey;
alter table usage_hours add primary key (account_id, hour, key_id, model, slot);
drop index usage_hours_key;
create index usage_hours_key on usage_hours (key_id, hour);
create index usage_hours_hour on usage_hours using brin (hour) with (autosummarize = on);
