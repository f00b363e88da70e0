import { exportFormats, exportWriters } from '#surveys/results/export-rows'
import { getProduct } from '#studio/product'
import { openProject } from '#studio/parts/open-project'
import { tryEngine } from '#studio/parts/refusals'
import { narrowingOf, resultsFilterIn } from '../results/results-filter'

interface SurveyExportRequest {
  params: Promise<{ project: string; survey: string; format: string }>
}

/** Streams the responses to a survey: they may be too many for memory. */
export async function GET(request: Request, { params }: SurveyExportRequest): Promise<Response> {
  const { project: slug, survey, format: named } = await params
  const format = exportFormats.find((one) => one === named)
  if (!format) return new Response('There is nothing here.', { status: 404 })
  const { project, viewer } = await openProject(slug)
  const { searchParams } = new URL(request.url)
  const asked = narrowingOf(resultsFilterIn(Object.fromEntries(searchParams)))
  const exported = await tryEngine(() =>
    getProduct().surveys.results.export(project.id, survey, asked, viewer),
  )
  if (!exported.done)
    return new Response(exported.problems.map(({ message }) => message).join(' '), { status: 422 })
  const { contentType, write } = exportWriters[format]
  return new Response(streamOf(write(exported.portions, exported)), {
    headers: {
      'content-type': contentType,
      'content-disposition': `attachment; filename="responses.${format}"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}

function streamOf(parts: AsyncGenerator<string | Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
    },
    cancel: async () => void (await parts.return(undefined)),
  })
}
