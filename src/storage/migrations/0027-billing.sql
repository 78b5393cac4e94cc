-- Whom receipts and statements of an account are made out to, in the customer's own words. Empty where nothing was said.
create table billing_details (
  account_id text collate "C" primary key references accounts (id),
  company text not null,
  tax_code text not null,
  address text not null,
  -- Where electronic invoices go.
  email text not null,
  updated_at timestamptz not null default now()
);
