-- The audit log is looked through by who acted, by what they did and by when.
create index if not exists audit_log_actor on audit_log (actor, id);
create index if not exists audit_log_action on audit_log (action, id);
create index if not exists audit_log_at on audit_log using brin (at);
