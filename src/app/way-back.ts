import { paths } from './paths'

/** Stands for our own origin; no address of somebody else's resolves to it. */
export const ours = 'https://ours.invalid'

/** Where to go on to after signing in: a page of our own, whatever the address said. */
export function wayBack(to: unknown): string {
  if (typeof to !== 'string' || !/^\/(?![/\\])/.test(to)) return paths.studio
  const url = URL.parse(to, ours)
  // what a browser makes of it counts: it drops tabs and dots, and then "/.//evil.example" begins with two slashes
  if (url?.origin !== ours || url.pathname.startsWith('//')) return paths.studio
  return url.pathname + url.search
}
