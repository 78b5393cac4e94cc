-- The time step of the last code of an authenticator app that was shown: each code is good once. A new secret begins anew.
alter table two_factors add last_step bigint not null default 0;
