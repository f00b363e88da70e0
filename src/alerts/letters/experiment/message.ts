import type { NoticeKind } from '#experiments/watch/notices'

/** Something that became known of an experiment. */
export interface ExperimentMessage {
  kind: 'experiment'
  notice: NoticeKind
  experiment: { id: string; name: string; flag: string }
  project: { slug: string; name: string }
  sentence: string
  at: string
}
