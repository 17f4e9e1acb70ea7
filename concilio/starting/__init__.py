"""First contact: a new adventure from a few answers, the schemas, the graphs for LangGraph's tools."""
