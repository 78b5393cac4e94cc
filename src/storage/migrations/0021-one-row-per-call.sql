-- A call's row is its ledger entry: ledger_entries keeps what is not a call. balance = sum of entries - sum of costs.

-- The former entries of calls say what their rows say, or this migration does not happen.
do $$ begin
  if exists (
    select from (
      select source_id as id, amount_micro_vnd as amount from ledger_entries where source = 'call'
    ) e full join (select id, -cost_micro_vnd as amount from calls where cost_micro_vnd > 0) c using (id)
    where e.amount is distinct from c.amount
  ) then
    raise exception 'the ledger''s entries of calls are not those of the call log: run the audit of the former version'
      using errcode = '42000';
  end if;
end $$;

create table entries_kept (like ledger_entries including defaults including constraints);
insert into entries_kept (id, account_id, at, source, source_id, amount_micro_vnd, reason, actor)
  overriding system value
  select id, account_id, at, source, source_id, amount_micro_vnd, reason, actor
  from ledger_entries where source <> 'call' order by id;
drop table ledger_entries;
alter table entries_kept rename to ledger_entries;
alter table ledger_entries alter id add generated always as identity;
select setval(pg_get_serial_sequence('ledger_entries', 'id'), coalesce(max(id), 0) + 1, false) from ledger_entries;
alter table ledger_entries
  drop constraint if exists ledger_entries_source_check,
  drop constraint if exists entries_kept_source_check,
  add constraint ledger_entries_source_check check (source in ('credit', 'top_up')),
  add constraint ledger_entries_account_id_fkey foreign key (account_id) references wallets (account_id),
  add primary key (account_id, id);
create unique index ledger_entries_source on ledger_entries (source, source_id);
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();

-- One index finds a call again when it is written twice, and gives an account its calls in the order of time. The calls of
-- a moment, of all accounts, lie together on disk: a few bytes for every megabyte find them.
drop index calls_account, calls_key;
alter table calls drop constraint calls_pkey;
alter table calls add primary key (account_id, at, id);
create index calls_at on calls using brin (at);

-- Sums of nodes that serve at once stand in rows of their own; see nodes.slot.
alter table usage_hours add slot smallint not null default 0;
alter table usage_hours drop constraint usage_hours_pkey;
alter table usage_hours add primary key (account_id, hour, key_id, model, slot);
