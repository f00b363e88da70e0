export { metadata, GroupsPage as default } from '#studio/people/groups/GroupsPage'
