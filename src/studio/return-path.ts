import { paths } from './paths'

/** Stands for the own origin; no address of another site resolves to it. */
export const placeholderOrigin = 'https://ours.invalid'

/** The page to go to after signing in: always one of our own, even if the address names another. */
export function returnPath(to: unknown): string {
  if (typeof to !== 'string' || !/^\/(?![/\\])/.test(to)) return paths.studio
  const url = URL.parse(to, placeholderOrigin)
  // the address as a browser resolves it counts: it drops tabs and dots, and then "/.//evil.example" begins with two
  // slashes
  if (url?.origin !== placeholderOrigin || url.pathname.startsWith('//')) return paths.studio
  return url.pathname + url.search
}
