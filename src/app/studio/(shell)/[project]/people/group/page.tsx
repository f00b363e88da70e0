export { metadata, GroupPage as default } from '#studio/people/groups/GroupPage'
