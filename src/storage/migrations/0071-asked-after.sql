-- When its provider was last asked what came of it: where more are open than are asked after at once, all have their turn.
alter table payment_requests add asked_after_at timestamptz;
