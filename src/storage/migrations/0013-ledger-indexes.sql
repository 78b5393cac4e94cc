-- The ledger is written for every call and read by account, so it keeps no index and no check that only a commit pays
-- for. Ids are unique by being generated; entries are made for wallets that were read just before and are never
-- deleted, and the audit looks for any that have none. Together a fifth of what a commit costs PostgreSQL.
alter table ledger_entries drop constraint ledger_entries_account_id_fkey;
alter table ledger_entries drop constraint ledger_entries_pkey;
drop index ledger_entries_account;
alter table ledger_entries add constraint ledger_entries_pkey primary key (account_id, id);
