#!/bin/sh
exec java -cp '/opt/kafka/libs/*' $KAFKA_LOG4J_OPTS kafka.tools.StorageTool "$@"
