-- Which account with the provider was asked for a payment: another one neither takes it nor knows of it. Null where a former version
-- asked, which is taken for the present account.
alter table payment_requests add account text collate "C";
