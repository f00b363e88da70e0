export { metadata, ProposalsPage as default } from '#studio/proposals/ProposalsPage'
