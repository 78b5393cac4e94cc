-- Electronic invoices, one for each top-up that has one. What stands on it is what the customer's billing details said when it was asked for.
create table invoices (
  -- By which the provider knows it, too.
  id uuid primary key default gen_random_uuid(),
  account_id text collate "C" not null references accounts (id),
  entry_id bigint not null,
  provider text not null,
  amount_micro_vnd bigint not null check (amount_micro_vnd > 0),
  company text not null,
  tax_code text not null,
  address text not null,
  email text not null,
  status text not null default 'waiting' check (status in ('waiting', 'issued', 'failed')),
  -- Since when it may be there: written before it is sent, taken back where it certainly was not taken.
  sent_at timestamptz,
  -- What the provider gave to ask after it by.
  tracking_code text,
  number text not null default '',
  url text not null default '',
  -- Why it is not there yet, or failed.
  problem text not null default '',
  attempts integer not null default 0,
  begun_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  unique (account_id, entry_id)
);
create index invoices_open on invoices (created_at) where status <> 'issued';
