/** The end of a guarded rollout that no member made. */
export interface RolloutMessage {
  kind: 'rollout'
  rollout: string
  flag: string
  experiment: string | undefined
  project: { slug: string; name: string }
  state: 'rolled-back' | 'completed'
  why: string
  at: string
}
