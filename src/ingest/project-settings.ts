import type { Project } from '#projects/project'
import type { Projects } from '#projects/projects'
import {
  type IngestRules,
  projectIngestSettings,
  type ProjectIngestSettings,
  compileIngestRules,
  defaultIngestSettings,
} from './settings'

/** Returns the ingest settings of a project. Settings of a newer version count as the defaults. */
export function ingestSettingsOf({
  intake,
  hosts,
}: Pick<Project, 'intake' | 'hosts'>): ProjectIngestSettings {
  const read = projectIngestSettings.safeParse({ ...intake, hosts })
  return read.success ? read.data : { ...defaultIngestSettings, hosts: [...hosts] }
}

/** The settings that are stored here; the hosts are stored with the project. */
export const storedIntakeSettings = projectIngestSettings.omit({ hosts: true })

/** Caches the rules made from the settings until the project changes. */
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
