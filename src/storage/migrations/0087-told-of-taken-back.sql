-- Another provider may tell of a transfer that has been taken back: those are looked for by what they brought.

create index bank_transfers_taken_back on bank_transfers (amount_micro_vnd) where taken_back > 0;
