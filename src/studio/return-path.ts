import { paths } from './paths'

/** Stands for the own origin; no address of another site resolves to it. */
export const placeholderOrigin = 'https://ours.invalid'

/** Where to go on to after signing in: a page of our own, whatever the address said. */
export function returnPath(to: unknown): string {
  if (typeof to !== 'string' || !/^\/(?![/\\])/.test(to)) return paths.studio
  const url = URL.parse(to, placeholderOrigin)
  // what a browser makes of it counts: it drops tabs and dots, and then "/.//evil.example" begins with two slashes
  if (url?.origin !== placeholderOrigin || url.pathname.startsWith('//')) return paths.studio
  return url.pathname + url.search
}
