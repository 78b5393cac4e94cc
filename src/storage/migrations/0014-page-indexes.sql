-- Pages of the dashboard that would read far more than they show. Under a large ledger, an operator may have built these
-- before, with `create index concurrently`, which holds up no commit.

-- An account's credits among its charges. No charge is ever written here, so a commit pays nothing for it.
create index if not exists ledger_entries_credits on ledger_entries (account_id, id) where source <> 'call';

-- What was done to one account, among everybody's actions.
create index if not exists audit_log_subject on audit_log (subject, id);
