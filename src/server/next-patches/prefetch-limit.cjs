/** The number of prefetches that may be under way at once, however a person's pointer moves. */
const limit = 5

// Next 16 allows four, and twelve while a link is hovered. Both become one number, so that following the pointer
// over a long list never takes bandwidth from the page somebody is waiting for.
const limits = /return inProgressRequests < (?:4|12);/g

/**
 * A loader for Next's prefetch scheduler. It refuses rather than pass a scheduler it does not know, so that an
 * upgrade of Next stops the build instead of quietly losing the limit.
 */
module.exports = function limitPrefetches(source) {
  // Turbopack remembers what a loader made of a file, and would not notice that the loader is another.
  this?.addDependency?.(__filename)
  const found = source.match(limits)?.length ?? 0
  if (found !== 2) {
    throw new Error(
      `Next's prefetch scheduler has changed: expected two limits to replace, found ${found}. ` +
        'Read next/dist/client/components/segment-cache/scheduler.js and mend src/server/next-patches/prefetch-limit.cjs.',
    )
  }
  return source.replace(limits, `return inProgressRequests < ${limit};`)
}
