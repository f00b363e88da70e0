import { getProduct } from '../../../../../product'
import type { Opened } from '../../../../open-project'
import { asking } from './asking'
import type { EditorGround } from './editor/ground'

/** What there is to choose from while somebody writes a flag, besides that flag itself. */
export async function editorGround({ project, viewer }: Opened, key?: string): Promise<EditorGround> {
  const { flags, cohorts, holdouts, members, names } = getProduct()
  const [all, cohortNames, held, who, groupTypes] = await Promise.all([
    flags.list(project.id, viewer),
    cohorts.names(project.id, viewer),
    holdouts.list(project.id, viewer),
    members.list(project.id, viewer),
    asking(async () => ({ done: true, types: await names.groupTypes(project.id, viewer) })),
  ])
  return {
    slug: project.slug,
    flags: all
      .filter((flag) => flag.key !== key && !flag.archivedAt)
      .map((flag) => ({ key: flag.key, variants: flag.variants })),
    cohorts: cohortNames,
    holdouts: held.map(({ id, name, percentage }) => ({ id, name, percentage })),
    groupTypes: groupTypes.done ? groupTypes.types : [],
    members: who.map(({ member }) => member.name),
    tags: [...new Set(all.flatMap(({ tags }) => tags))].toSorted(),
  }
}
