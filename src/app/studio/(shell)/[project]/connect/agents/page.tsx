export { metadata, ConnectAgentsPage as default } from '#studio/connect/agents/ConnectAgentsPage'
