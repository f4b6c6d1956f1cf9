import { omitAbsent } from './json.js';
import { A2A_METHODS, DIALECTS, OPERATIONS, type A2aMethod, type Dialect } from './method.js';

/** What verb and path of the HTTP+JSON binding say. */
export type HttpOperation = {
  readonly method: A2aMethod;
  readonly serverTaskId?: string;
  readonly tenant?: string;
};

type Template = { readonly method: A2aMethod; readonly verb: string; readonly segments: readonly string[] };

const compile = (method: A2aMethod, template: string): Template => {
  const [verb = '', path = ''] = template.split(' ');
  return { method, verb, segments: path.split('/').slice(1) };
};
const templatesOf = (dialect: Dialect): readonly Template[] =>
  A2A_METHODS.flatMap((method) => OPERATIONS[method].http[dialect].map((template) => compile(method, template)));
const TEMPLATES: Readonly<Record<Dialect, readonly Template[]>> = {
  '1.0': templatesOf('1.0'),
  '0.3': templatesOf('0.3'),
};

const TASK = '{id}';
/**
 * `:cancel` and `:subscribe`: whatever the verb, such a segment is no bare task ID, or a question about `x` would be taken
 * for one about `x:subscribe`.
 */
const CUSTOM_VERBS: readonly string[] = [
  ...new Set(
    DIALECTS.flatMap((dialect) => TEMPLATES[dialect])
      .flatMap(({ segments }) => segments)
      .filter((segment) => segment.startsWith(`${TASK}:`))
      .map((segment) => segment.slice(TASK.length)),
  ),
];

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** The raw task ID in a segment that a `{id}` template takes; `undefined`: it does not take it. */
const rawTaskId = (template: string, segment: string): string | undefined => {
  const verb = template.slice(TASK.length);
  const isBare = !CUSTOM_VERBS.some((custom) => segment.endsWith(custom));
  if (verb === '' ? !isBare : !segment.endsWith(verb)) return undefined;
  const id = segment.slice(0, segment.length - verb.length);
  return id === '' ? undefined : id;
};

type Match = { readonly method: A2aMethod; readonly serverTaskId?: string };

const matchOne = ({ method, segments: templates }: Template, segments: readonly string[]): Match | undefined => {
  let taskId: string | undefined;
  for (const [i, template] of templates.entries()) {
    const segment = segments[i] ?? '';
    if (template.startsWith(TASK)) {
      taskId = rawTaskId(template, segment);
      if (taskId === undefined) return undefined;
    } else if (template === '{config}' ? segment === '' : segment !== template) return undefined;
  }
  return { method, ...(taskId !== undefined && { serverTaskId: decode(taskId) }) };
};

const matchAny = (dialect: Dialect, verb: string, segments: readonly string[]): Match | undefined => {
  for (const template of TEMPLATES[dialect]) {
    if (template.verb !== verb || template.segments.length !== segments.length) continue;
    const match = matchOne(template, segments);
    if (match !== undefined) return match;
  }
  return undefined;
};

const segmentsOf = (path: string): readonly string[] => {
  const bare = path.replace(/[?#].*$/s, '').replace(/\/$/, '');
  return bare.split('/').slice(1);
};

/**
 * The operation that verb and path stand for; `path` is relative to the interface's URL and may carry a query. A first
 * segment `v1` is the prefix of 0.3, except where the request declares 1.0: there it is a tenant. A path of 1.0 is read
 * whatever version is declared (servers differ in what they let pass), and first without a tenant: `/tasks/tasks` is the
 * task `tasks`.
 */
export const readHttpPath = (verb: string, path: string, declared: Dialect): HttpOperation | undefined => {
  const upper = verb.toUpperCase();
  const [first = '', ...rest] = segmentsOf(path);
  if (first === 'v1' && declared === '0.3') return matchAny('0.3', upper, rest);
  const whole = matchAny('1.0', upper, [first, ...rest]);
  if (whole !== undefined || first === '') return whole;
  const tenanted = matchAny('1.0', upper, rest);
  return tenanted && omitAbsent({ ...tenanted, tenant: decode(first) });
};

/**
 * The path of a task in the HTTP+JSON binding: the server task ID is the agent's word, so it becomes one segment,
 * whatever it holds. A lone surrogate, which UTF-8 cannot write, becomes the replacement character. The IDs `.` and `..`
 * become `%2E` and `%2E%2E`: a server that decodes segments reads them back, but a WHATWG `URL` resolves even these, so
 * the caller must hand the path to its HTTP client as it stands and never through `new URL`. The empty ID names no task
 * (servers refuse it): it is not to be asked about.
 */
export const taskPath = (serverTaskId: string): string => {
  const segment = encodeURIComponent(serverTaskId.toWellFormed());
  return `/tasks/${segment === '.' || segment === '..' ? segment.replaceAll('.', '%2E') : segment}`;
};
