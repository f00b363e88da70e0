import type { SurveyVersion } from '#surveys/survey'
import { csvExport, jsonExport } from '#surveys/results/export-rows'
import type { SurveyResponse } from '#surveys/results/responses'
import { getProduct } from '#app/product'
import { openProject } from '#app/(studio)/open-project'
import { tryEngine } from '#app/(studio)/studio/(inside)/[project]/flags/try-engine'
import { responsesIn } from '#app/(studio)/studio/(inside)/[project]/surveys/responses/question'

interface SurveyExportRequest {
  params: Promise<{ project: string; survey: string; format: string }>
}

interface ExportFormat {
  type: string
  write: (
    portions: AsyncIterable<readonly SurveyResponse[]>,
    versions: readonly SurveyVersion[],
  ) => AsyncGenerator<string>
}

const formats: Readonly<Record<string, ExportFormat>> = {
  csv: { type: 'text/csv; charset=utf-8', write: csvExport },
  json: { type: 'application/json; charset=utf-8', write: jsonExport },
}

/** Streams the responses to a survey: they may be too many for memory. */
export async function GET(request: Request, { params }: SurveyExportRequest): Promise<Response> {
  const { project: slug, survey, format } = await params
  const writing = Object.hasOwn(formats, format) ? formats[format] : undefined
  if (!writing) return new Response('There is nothing here.', { status: 404 })
  const { project, viewer } = await openProject(slug)
  const { searchParams } = new URL(request.url)
  const { cursor: _, ...asked } = responsesIn(Object.fromEntries(searchParams))
  const exported = await tryEngine(() => getProduct().surveyResults.export(project.id, survey, asked, viewer))
  if (!exported.done)
    return new Response(exported.problems.map(({ message }) => message).join(' '), { status: 422 })
  return new Response(streamOf(writing.write(exported.portions, exported.versions)), {
    headers: {
      'content-type': writing.type,
      'content-disposition': `attachment; filename="responses.${format}"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}

function streamOf(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: async () => void (await texts.return(undefined)),
  })
}
