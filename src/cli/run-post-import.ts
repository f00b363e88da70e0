import { emptyAllowlist, parseAllowlist } from '#outbound/allowlist'
import { Outbound } from '#outbound/outbound'
import { downloadPicture } from '#posts/imports/download-picture'
import { importPosts, type PostImportReport } from '#posts/imports/import-posts'
import { UnreadableExportError } from '#posts/imports/imported-content'
import { postSources } from '#posts/imports/read-export'
import { operator } from '#projects/access'
import { failedOutcome } from '#projects/problems'
import { readConfig } from '#server/config'
import type { Product } from '#server/product'
import type { PostImportCommand } from './import-posts'
import { projectNamed } from './run-query'
import { commandOutput } from './with-product'

const commandLineViewer = operator('command line')

/** Reads an export and imports its posts. */
export async function runPostImport(product: Product, options: PostImportCommand) {
  const found = projectNamed(product, options.project)
  if (!found.done) return found
  const origin = options.url === undefined ? undefined : URL.parse(options.url)?.origin
  if (options.url !== undefined && !origin?.startsWith('http'))
    return failedOutcome('Write the address of the old site as “https://example.com”.')
  const { posts } = product
  const { authors, redirects, images } = posts
  try {
    const content = postSources[options.source].read(options.path)
    const report = await importPosts(
      { posts, authors, redirects, images, now: () => new Date() },
      found.project.id,
      { ...content, origin: origin ?? content.origin },
      commandLineViewer,
      {
        isPreview: options.preview === true,
        download: options.pictures ? downloader() : undefined,
      },
    )
    if (report.refused.length > 0) process.exitCode = 1
    return commandOutput(report, ...linesOf(report, options))
  } catch (problem) {
    if (problem instanceof UnreadableExportError) return failedOutcome(problem.message)
    throw problem
  }
}

function downloader() {
  const reading = readConfig(process.env)
  const allow = reading.readable ? reading.config.outboundAllow : undefined
  const outbound = new Outbound({
    allowlist: parseAllowlist(allow ?? '') ?? emptyAllowlist,
    withinMs: 30_000,
  })
  return (address: string) => downloadPicture(outbound, address)
}

function linesOf(report: PostImportReport, { preview, pictures }: PostImportCommand): string[] {
  const { created, existing, refused, notes, skipped, authors } = report
  const { kept, elsewhere, failed } = report.pictures
  const would = preview ? 'would be ' : ''
  return [
    ...created.map(({ title, address, state }) => `${state.padEnd(9)}  ${address}  ${title}`),
    ...existing.map(({ title, address }) => `there      ${address}  ${title}`),
    ...refused.map(({ title, problems }) => `refused    ${title}: ${problems.join(' ')}`),
    ...skipped.map(({ title, why }) => `left out   ${title}: ${why}`),
    ...notes.map(({ title, note }) => `note       ${title}: ${note}`),
    ...failed.map(({ address, why }) => `no picture ${address}: ${why}`),
    `${created.length} posts and pages ${would}imported, ${existing.length} were there already, ${refused.length} refused, ${skipped.length} left out.`,
    `${authors.length} authors and ${report.redirects} redirects ${would}added, ${kept} pictures downloaded.`,
    ...(elsewhere > 0 && !pictures
      ? [`${elsewhere} pictures stay elsewhere, as links: use --pictures.`]
      : []),
  ]
}
