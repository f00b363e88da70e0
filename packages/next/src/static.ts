import type { FlagKey, FlagValue, TilthBootstrap } from '@tilth/react'

type FlagOptions = { readonly [Key in FlagKey]?: readonly FlagValue<Key>[] }

/** The flags of pages that are built once for each combination of values. */
export interface StaticFlags<Options extends FlagOptions> {
  /** The combination for these decisions. Values that are not listed give the first one. */
  codeFor(flags: Readonly<Record<string, boolean | string>>): string
  /** Every combination, for `generateStaticParams` and `getStaticPaths`. */
  codes(): string[]
  /** The value in a combination. */
  flag<Key extends keyof Options & FlagKey>(code: string, key: Key): FlagValue<Key>
  /** The bootstrap for a `TilthProvider` of such a page. */
  bootstrap(code: string): TilthBootstrap
}

/** Values are listed with the original first: `staticFlags({ headline: ['control', 'bold'] })`. */
export function staticFlags<const Options extends FlagOptions>(options: Options): StaticFlags<Options> {
  const entries = Object.entries(options) as [string, readonly (boolean | string)[]][]
  const valuesOf = (code: string): Record<string, boolean | string> =>
    Object.fromEntries(
      entries.map(([key, values], at) => [
        key,
        values[Number.parseInt(code[at] ?? '', 36)] ?? values[0] ?? false,
      ]),
    )
  return {
    codeFor: (flags) =>
      entries.map(([key, values]) => Math.max(0, values.indexOf(flags[key] ?? false)).toString(36)).join(''),
    codes: () =>
      entries.reduce<string[]>(
        (codes, [, values]) =>
          codes.flatMap((code) => values.map((_value, index) => code + index.toString(36))),
        [''],
      ),
    // the values of a flag are those that were listed for it
    flag: (code, key) => valuesOf(code)[key] as never,
    bootstrap: (code) => ({ flags: valuesOf(code), payloads: {}, isViewCounted: true }),
  }
}
