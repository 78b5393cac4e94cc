-- Banks beside the first: what they tell of senders, payments that they are asked for, how far their lists were received.
-- And what operators do with a transfer that is nobody's: look for its owner, return it, dismiss it.

alter table bank_transfers
  -- Empty where nobody told.
  add column sender_name text not null default '',
  add column sender_account text not null default '',
  add column sender_bank text not null default '',
  -- By which the banks know the transfer itself.
  add column bank_reference text not null default '',
  -- By which they know the transfer that gave it back.
  add column return_reference text not null default '',
  drop constraint bank_transfers_status_check,
  -- `returning`: to be given back by hand; `returned`: given back.
  add constraint bank_transfers_status_check
    check (status in ('credited', 'unmatched', 'ignored', 'returning', 'returned', 'dismissed')),
  add constraint bank_transfers_returned check ((status = 'returned') = (return_reference <> ''));
create index bank_transfers_closed on bank_transfers (status, id) where status in ('returning', 'returned', 'dismissed');
create index bank_transfers_reference on bank_transfers (bank_reference) where bank_reference <> '';
create index bank_transfers_sender on bank_transfers (sender_account, id desc)
  where status = 'credited' and sender_account <> '';

-- All that a provider lists up to here has been received.
create table bank_checkpoints (
  provider text primary key,
  received_until timestamptz not null
);

-- Orders that a provider was asked to take the payment of, under a number of ours; written before it is asked, so that a
-- payment finds its order though the answer was lost. What is null has not been answered.
create table payment_requests (
  provider text not null,
  number bigint not null,
  order_id text collate "C" not null references top_up_orders (id),
  asked_at timestamptz not null default now(),
  bank_bin text,
  bank_account text,
  account_name text,
  memo text,
  qr text,
  -- Nothing more is expected of it.
  closed_at timestamptz,
  primary key (provider, number)
);
create index payment_requests_order on payment_requests (order_id, asked_at desc);
create index payment_requests_open on payment_requests (provider, asked_at) where closed_at is null;

-- A text as banks write it: small plain letters and digits, one space between words.
create function plain_text(value text) returns text language sql immutable strict parallel safe as $$
  select btrim(regexp_replace(lower(translate(regexp_replace(normalize(value, NFD), '[\u0300-\u036f]', '', 'g'), 'đĐ', 'dd')
    collate "C"), '[^a-z0-9]+', ' ', 'g'))
$$;
-- A company's plain name without the words for what kind of company it is. It calls none of ours: indexes are built where
-- only the system's functions are in sight.
create function company_core(plain text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(plain, '^((cong ty|ctcp|tnhh|co phan|cp|mtv|mot thanh vien|tm|dv|thuong mai|dich vu) )+', '')
$$;

-- What a transfer without a known code may still be recognised by: a part of a code, an amount, a name.
create index top_up_orders_code_1 on top_up_orders (substr(code, 3, 3));
create index top_up_orders_code_2 on top_up_orders (substr(code, 6, 3));
create index top_up_orders_code_3 on top_up_orders (substr(code, 9, 3));
create index top_up_orders_open_amount on top_up_orders (amount_micro_vnd, created_at desc) where status = 'pending';
create index people_plain_name on people (plain_text(name));
create index billing_details_company on billing_details (company_core(plain_text(company))) where company <> '';
create index accounts_mail_word on accounts (replace(plain_text(split_part(email, '@', 1)), ' ', ''));
