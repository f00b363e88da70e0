import { getProduct } from '#studio/product'
import type { Opened } from '#studio/parts/open-project'
import { tryEngine } from '#studio/parts/refusals'
import type { EditorChoices } from './editor/editor-choices'

/** Loads the options of the flag editor, without the edited flag itself. */
export async function loadEditorChoices({ project, viewer }: Opened, key?: string): Promise<EditorChoices> {
  const { flags } = getProduct()
  const { names } = getProduct().insights
  const { members } = getProduct().projects
  const { cohorts } = getProduct().people
  const { holdouts, layers } = flags
  const [all, cohortNames, holdoutList, layerList, who, groupTypes] = await Promise.all([
    flags.list(project.id, viewer),
    cohorts.names(project.id, viewer),
    holdouts.list(project.id, viewer),
    layers.list(project.id, viewer),
    members.list(project.id, viewer),
    tryEngine(async () => ({ done: true, types: await names.groupTypes(project.id, viewer) })),
  ])
  return {
    slug: project.slug,
    flags: all
      .filter((flag) => flag.key !== key && !flag.archivedAt)
      .map((flag) => ({ key: flag.key, variants: flag.variants })),
    cohorts: cohortNames,
    holdouts: holdoutList.map(({ id, name, percentage }) => ({ id, name, percentage })),
    layers: layerList.map(({ id, name }) => ({ id, name })),
    groupTypes: groupTypes.done ? groupTypes.types : [],
    members: who.map(({ member }) => member.name),
    tags: [...new Set(all.flatMap(({ tags }) => tags))].toSorted(),
  }
}
