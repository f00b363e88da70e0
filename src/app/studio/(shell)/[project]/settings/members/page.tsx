export { metadata, MembersPage as default } from '#studio/settings/members/MembersPage'
