import type { ReportFigures } from '../../report-content'

export interface ReportMessage {
  kind: 'report'
  report: string
  name: string
  project: { slug: string; name: string; timeZone: string }
  figures: ReportFigures
}
