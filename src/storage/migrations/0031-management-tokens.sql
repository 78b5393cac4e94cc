-- What programs sign in with to the API around the meter. Of a secret only its SHA-256 is kept.
create table management_tokens (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts (id),
  name text not null,
  secret_hash bytea not null unique,
  -- Enough of the secret to recognise it.
  hint text not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- To the minute.
  last_used_at timestamptz,
  revoked_at timestamptz
);

create index management_tokens_of_account on management_tokens (account_id, created_at);
