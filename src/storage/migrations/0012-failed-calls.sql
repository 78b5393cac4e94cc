-- The dashboard shows an account's latest failures without reading its successes.
create index calls_failed on calls (account_id, at desc) where status >= 400;
