/** Why a card cannot be made of an insight; undefined if it can. */
export const whyNotPlaced = (
  { archivedAt }: { archivedAt?: Date | undefined },
  whyNot: string | undefined,
): string | undefined => whyNot ?? (archivedAt && 'Archived insights cannot be added to a dashboard')

/** The card of a saved insight. */
export const insightCard = ({ id, name }: { id: string; name: string }) => ({
  name,
  content: { type: 'insight', insight: id } as const,
})
