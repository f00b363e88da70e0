import type { Project } from '#projects/project'
import type { Projects } from '#projects/projects'
import {
  type IngestRules,
  projectIngestSettings,
  type ProjectIngestSettings,
  compileIngestRules,
  defaultIngestSettings,
} from './settings'

/** What a project's owners decided about events that come in. One written by a newer Tilth counts as the usual. */
export function ingestSettingsOf({
  intake,
  hosts,
}: Pick<Project, 'intake' | 'hosts'>): ProjectIngestSettings {
  const read = projectIngestSettings.safeParse({ ...intake, hosts })
  return read.success ? read.data : { ...defaultIngestSettings, hosts: [...hosts] }
}

/** What a project may keep of it: the hosts are the project's own already. */
export const storedIntakeSettings = projectIngestSettings.omit({ hosts: true })

/** Rules are made of settings once, and kept for as long as the project stays as it is. */
export function rulesByProject(projects: Pick<Projects, 'numbered'>): (projectId: number) => IngestRules {
  const cache = new WeakMap<Project, IngestRules>()
  const defaults = compileIngestRules(defaultIngestSettings)
  return (projectId) => {
    const project = projects.numbered(projectId)
    if (!project) return defaults
    const known = cache.get(project) ?? compileIngestRules(ingestSettingsOf(project))
    cache.set(project, known)
    return known
  }
}
