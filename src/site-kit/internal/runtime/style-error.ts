/** A place in the site folder. */
interface StylePlace {
  file: string
  line?: number | undefined
  column?: number | undefined
}

/** A mistake in a style sheet or in what compiles it; its message is for the team. */
export class StyleError extends Error {
  override readonly name = 'StyleError'

  constructor(
    message: string,
    /** The style sheet that is compiled where it is undefined. */
    readonly place?: StylePlace,
  ) {
    super(message)
  }

  static of(problem: unknown): StyleError {
    if (problem instanceof StyleError) return problem
    return new StyleError(problem instanceof Error ? problem.message : String(problem))
  }
}

/** The line of the first match, counted from 1. */
export function lineOf(text: string, pattern: RegExp | string): number | undefined {
  const index = typeof pattern === 'string' ? text.indexOf(pattern) : text.search(pattern)
  return index < 0 ? undefined : text.slice(0, index).split('\n').length
}

/** Returns what a module that cannot be loaded here says to the team; undefined for another problem. */
export function nativeAddonProblem(name: string, problem: unknown): string | undefined {
  const isRefused =
    problem instanceof Error &&
    (('code' in problem && problem.code === 'ERR_DLOPEN_DISABLED') ||
      /ERR_DLOPEN_DISABLED|native addon|native binding|Failed to load (?:native|external)/i.test(
        `${problem.message} ${problem.cause instanceof Error ? problem.cause.message : ''}`,
      ))
  return isRefused
    ? `${name} needs a native addon. Styles are compiled without the rights of Tilth, and JavaScript alone can be held to that: use a plugin without one.`
    : undefined
}
