export { metadata, AgentsPage as default } from '#studio/settings/agents/AgentsPage'
