-- What operators note about a customer, for each other. Never shown to the customer, never changed.
create table account_notes (
  id bigint generated always as identity primary key,
  account_id text collate "C" not null references accounts (id),
  at timestamptz not null default now(),
  author text not null,
  text text not null check (length(text) between 1 and 2000)
);
create index account_notes_account on account_notes (account_id, id);
create trigger account_notes_append_only before update or delete or truncate on account_notes
  for each statement execute function refuse_change();
