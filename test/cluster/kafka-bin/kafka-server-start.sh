#!/bin/sh
exec java -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError $KAFKA_HEAP_OPTS -cp '/opt/kafka/libs/*' $KAFKA_LOG4J_OPTS kafka.Kafka "$@"
