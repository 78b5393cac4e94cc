-- Orders to top up a wallet, and the bank transfers that pay them.

create table top_up_orders (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts (id),
  code text collate "C" not null unique,
  amount_micro_vnd bigint not null check (amount_micro_vnd > 0),
  status text not null default 'pending' check (status in ('pending', 'paid')),
  credited_micro_vnd bigint not null default 0,
  created_at timestamptz not null default now(),
  -- Only the display ends here: money that arrives later is credited all the same.
  expires_at timestamptz not null,
  paid_at timestamptz,
  check ((status = 'paid') = (paid_at is not null))
);
-- One pending order per account and amount: asking again shows the same code.
create unique index top_up_orders_pending on top_up_orders (account_id, amount_micro_vnd) where status = 'pending';
create index top_up_orders_account on top_up_orders (account_id, created_at desc, id desc);

-- Every transfer a bank told of, in the words it used. Never deleted; the pair of provider and its id comes once.
create table bank_transfers (
  id bigint generated always as identity primary key,
  provider text not null,
  provider_transfer_id text collate "C" not null,
  heard_by text not null check (heard_by in ('webhook', 'reconciliation', 'simulator')),
  direction text not null check (direction in ('in', 'out')),
  bank_account text not null,
  amount_micro_vnd bigint not null,
  memo text not null,
  transferred_at timestamptz not null,
  received_at timestamptz not null default now(),
  raw text not null,
  status text not null check (status in ('credited', 'unmatched', 'ignored')),
  note text not null default '',
  flags text[] not null default '{}',
  order_id text collate "C" references top_up_orders (id),
  account_id text collate "C" references accounts (id),
  assigned_by text,
  unique (provider, provider_transfer_id)
);
create index bank_transfers_unmatched on bank_transfers (id) where status = 'unmatched';
create index bank_transfers_order on bank_transfers (order_id) where order_id is not null;
create index bank_transfers_received on bank_transfers (received_at);
