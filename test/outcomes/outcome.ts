/** One row of the README's tables of outcomes: what is met, and what comes of it, in a reader's words. */
export type Outcome = { readonly given: string; readonly outcome: string };

/** A table of outcomes; `rows` by a short name of the row. */
export type OutcomeTable<Row extends string = string> = {
  readonly title: string;
  readonly rows: Readonly<Record<Row, Outcome>>;
};

export const outcomeTable = <Row extends string>(
  title: string,
  rows: Readonly<Record<Row, Outcome>>,
): OutcomeTable<Row> => ({ title, rows });
