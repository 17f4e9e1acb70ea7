-- What a fleet keeps besides its queue (Procrastinate) and its checkpoints (LangGraph).
-- Texts of models and of users are bytes: a PostgreSQL text cannot hold every character that they may.

CREATE TABLE IF NOT EXISTS concilio_format (version integer PRIMARY KEY);

CREATE TABLE IF NOT EXISTS concilio_batches (
    id text PRIMARY KEY,
    created timestamptz NOT NULL DEFAULT now(),
    budget_usd double precision,
    spent_usd double precision NOT NULL DEFAULT 0
);

CREATE TABLE IF NOT EXISTS concilio_runs (
    id text PRIMARY KEY,
    batch text NOT NULL REFERENCES concilio_batches ON DELETE CASCADE,
    position integer NOT NULL,
    path bytea NOT NULL,
    title bytea NOT NULL,
    job bytea NOT NULL,
    problem bytea
);
CREATE INDEX IF NOT EXISTS concilio_runs_batch ON concilio_runs (batch);

CREATE TABLE IF NOT EXISTS concilio_chapters (
    run text NOT NULL REFERENCES concilio_runs ON DELETE CASCADE,
    number integer NOT NULL,
    position integer NOT NULL,
    job_id bigint,
    status integer,
    ending text NOT NULL DEFAULT '',
    problem bytea,
    remembered bytea,
    result bytea,
    PRIMARY KEY (run, number)
);

CREATE TABLE IF NOT EXISTS concilio_replies (
    run text NOT NULL REFERENCES concilio_runs ON DELETE CASCADE,
    chapter integer NOT NULL,
    request text NOT NULL,
    agent text NOT NULL,
    key text NOT NULL,
    attempt integer NOT NULL,
    model bytea NOT NULL,
    text bytea NOT NULL,
    finish_reason bytea NOT NULL,
    tokens_in bigint,
    tokens_out bigint,
    cost_usd double precision,
    received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (run, chapter, request)
);

CREATE TABLE IF NOT EXISTS concilio_texts (
    run text NOT NULL REFERENCES concilio_runs ON DELETE CASCADE,
    chapter integer NOT NULL,
    ref text NOT NULL,
    text bytea NOT NULL,
    PRIMARY KEY (run, chapter, ref)
);

CREATE TABLE IF NOT EXISTS concilio_events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run text NOT NULL REFERENCES concilio_runs ON DELETE CASCADE,
    chapter integer NOT NULL,
    line bytea NOT NULL
);
CREATE INDEX IF NOT EXISTS concilio_events_run ON concilio_events (run);

-- One row a provider: when its next call may begin (generic cell rate algorithm, without a burst).
CREATE TABLE IF NOT EXISTS concilio_limits (provider text PRIMARY KEY, free_at timestamptz NOT NULL);

-- Whether an attempt at a chapter is still its worker's. The table is internal to Procrastinate: its version is pinned.
CREATE OR REPLACE FUNCTION concilio_mine(_job bigint, _worker bigint, _attempts integer) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM procrastinate_jobs
        WHERE id = _job AND worker_id IS NOT DISTINCT FROM _worker AND attempts = _attempts AND status = 'doing'
    )
$$;
