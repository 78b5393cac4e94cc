-- Pages of the dashboard that would read far more than they show.

-- An account's credits among its charges. No charge is ever written here, so a commit pays nothing for it.
create index ledger_entries_credits on ledger_entries (account_id, id) where source <> 'call';

-- What was done to one account, among everybody's actions.
create index audit_log_subject on audit_log (subject, id);
